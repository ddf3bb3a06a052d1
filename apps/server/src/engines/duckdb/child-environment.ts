import { getCompileCacheDir } from 'node:module'
import path from 'node:path'

/**
 * The environment of a child process: none of the service's variables, only the location of the compile cache if there is one.
 * With the cache, a child takes 90 ms of CPU time to start instead of 285.
 */
export function childEnvironment(): Record<string, string> {
  const cacheOfThisVersion = getCompileCacheDir()
  return cacheOfThisVersion === undefined ? {} : { NODE_COMPILE_CACHE: path.resolve(cacheOfThisVersion, '..') }
}
