import { getCompileCacheDir } from 'node:module'
import path from 'node:path'

/**
 * What a child process finds in its environment: no secret of the service, and nothing else but where compiled code is kept, if
 * this process keeps any. A child that finds its own there begins with 90 ms of processor time, not with 285.
 */
export function childEnvironment(): Record<string, string> {
  const ofThisVersion = getCompileCacheDir()
  return ofThisVersion === undefined ? {} : { NODE_COMPILE_CACHE: path.resolve(ofThisVersion, '..') }
}
