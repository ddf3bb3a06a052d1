import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../../', import.meta.url))
export const deployFolder = path.join(repository, 'deploy')
/** Written by scripts/install-containers.mjs. */
export const cacheFolder = path.join(repository, 'node_modules/.cache/containers')
