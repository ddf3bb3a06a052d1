import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from './config.ts'
import { type FileLock, isFileLocked, lockFile } from '../ports/file-lock.ts'
import type { Random } from '../ports/random.ts'

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

/**
 * Takes the folder for this process, and returns a function that gives it back. The kernel ends the lock with the process, so a
 * folder whose owner died is free at once.
 */
export async function lockDataDirectory(folder: string, processId: number): Promise<() => Promise<void>> {
  const lock = takeLock(folder)
  if (!lock) throw inUse(folder, (await readRecord(folder)).processId)
  try {
    const older = await findOlderOwner(folder)
    if (older !== undefined && older !== processId) throw inUse(folder, older)
    await writeFile(recordFile(folder), `${processId}\n`, { mode: 0o600 })
  } catch (error) {
    lock.release()
    throw error
  }
  return async () => {
    await rm(recordFile(folder), { force: true })
    lock.release()
  }
}

/**
 * The process that has the folder now, by the number it has where it runs. Undefined when none has; 0 when it has not written its
 * number down yet.
 */
export async function findOwner(folder: string): Promise<number | undefined> {
  if (isFileLocked(lockedFile(folder))) return (await readRecord(folder)).processId
  return findOlderOwner(folder)
}

/** Locked by the owner; always empty. */
const lockedFile = (folder: string) => path.join(folder, 'lock.sqlite')
/** The number of the owner, for messages and for versions that know no other lock. */
const recordFile = (folder: string) => path.join(folder, 'lock')

function takeLock(folder: string): FileLock | undefined {
  try {
    return lockFile(lockedFile(folder))
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR=${folder}: the folder cannot be locked (${(error as Error).message}), so nothing would keep a second process from ` +
        'damaging it. Use a folder that this user may write to, on a file system with locks. Example: DATA_DIR=./data',
    )
  }
}

function inUse(folder: string, owner: number): ConfigError {
  const who = owner === 0 ? 'another process' : `process ${owner}`
  // A number that means nothing here, or means this very process, was given in another container or on another machine.
  const where = owner > 0 && (owner === process.pid || !isAlive(owner)) ? ' (in another container or on another machine)' : ''
  return new ConfigError(
    `DATA_DIR=${folder}: ${who}${where} is using this folder. Stop it first, or give this one a folder of its own. ` +
      'Example: DATA_DIR=./data-2',
  )
}

/** Versions that had no other lock end the number without a newline. */
async function readRecord(folder: string): Promise<{ processId: number; isOlderVersion: boolean }> {
  const text = await readFile(recordFile(folder), 'utf8').catch(() => '')
  const processId = Number(text)
  return { processId: processId > 0 ? processId : 0, isOlderVersion: processId > 0 && !text.endsWith('\n') }
}

/** A process of a version without the kernel's lock that is still running on this machine. */
async function findOlderOwner(folder: string): Promise<number | undefined> {
  const { processId, isOlderVersion } = await readRecord(folder)
  return isOlderVersion && isAlive(processId) && (await isService(processId)) ? processId : undefined
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
