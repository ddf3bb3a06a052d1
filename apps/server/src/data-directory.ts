import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from './config.ts'
import type { Random } from './ports/random.ts'

/**
 * DATA_DIR: the embedded store, results, DuckDB files and the generated key. The embedded store has one owner, so a second
 * process on the same folder is turned away before it can do harm.
 */
export async function prepareDataDirectory(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR=${folder}: the folder cannot be created (${(error as Error).message}). Example: DATA_DIR=./data`,
    )
  }
}

/** Takes the folder for this process. The lock of a process that died is taken over. Returns a function that gives it back. */
export async function lockDataDirectory(folder: string, processId: number): Promise<() => Promise<void>> {
  const file = path.join(folder, 'lock')
  for (;;) {
    try {
      const lock = await open(file, 'wx', 0o600)
      await lock.writeFile(String(processId))
      await lock.close()
      return () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = await findOwner(folder)
    if (owner !== undefined && owner !== processId) {
      throw new ConfigError(
        `DATA_DIR=${folder}: process ${owner} is using this folder. Stop it first, or give this one a folder of its own. ` +
          'Example: DATA_DIR=./data-2',
      )
    }
    await rm(file, { force: true })
  }
}

/** The service that has the folder now. Undefined when none has: the lock of a process that died says nothing. */
export async function findOwner(folder: string): Promise<number | undefined> {
  const owner = Number(await readFile(path.join(folder, 'lock'), 'utf8').catch(() => ''))
  return owner > 0 && isAlive(owner) && (await isService(owner)) ? owner : undefined
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * What engines spilled to disk, what was staged for a backup or unpacked for a restore, and databases that were not finished, when
 * the process died. Only the owner of the folder may say that it is nobody's.
 */
export async function removeTemporaryFiles(folder: string): Promise<void> {
  for (const name of ['temporary', 'restoring']) await rm(path.join(folder, name), { recursive: true, force: true })
  const databases = path.join(folder, 'databases')
  for (const file of await readdir(databases, { recursive: true }).catch(() => [])) {
    if (/\.part(\.wal)?$/.test(file)) await rm(path.join(databases, file), { force: true })
  }
}

/** After a restart of the machine or container another program may have the number of the one that died. */
async function isService(processId: number): Promise<boolean> {
  const command = await readFile(`/proc/${processId}/cmdline`, 'utf8').catch(() => null)
  return command === null || /(^|[/\0])querypost(\.m?js)?\0/.test(command)
}

/** The service's secret: the given one, or one made at the first start and readable by its owner only. */
export async function readSecretKey(options: {
  folder: string
  given: string | null
  random: Random
}): Promise<Uint8Array> {
  if (options.given !== null) return Buffer.from(options.given)
  const file = path.join(options.folder, 'secret.key')
  try {
    await writeFile(file, Buffer.from(options.random.bytes(32)).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return Buffer.from(await readFile(file, 'utf8'), 'base64')
}
