import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from './config.ts'
import { type FileLock, isFileLocked, lockFile } from '../ports/file-lock.ts'
import type { Random } from '../ports/random.ts'

/**
 * DATA_DIR holds the embedded store, results, DuckDB files and the generated key. The embedded store has a single owner, so a lock
 * keeps a second process from damaging the folder.
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
 * Locks the folder for this process, and returns a function that unlocks it. The operating system releases the lock when the process
 * ends, so a folder whose owner died is free at once.
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
 * The id of the process that owns the folder, as seen in its own container. Undefined if there is no owner; 0 if the owner has not
 * written its id yet.
 */
export async function findOwner(folder: string): Promise<number | undefined> {
  if (isFileLocked(lockedFile(folder))) return (await readRecord(folder)).processId
  return findOlderOwner(folder)
}

/** Locked by the owner; always empty. */
const lockedFile = (folder: string) => path.join(folder, 'lock.sqlite')
/** Holds the owner's process id, for messages and for older versions that have no other lock. */
const recordFile = (folder: string) => path.join(folder, 'lock')

function takeLock(folder: string): FileLock | undefined {
  try {
    return lockFile(lockedFile(folder))
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR=${folder}: the folder cannot be locked (${(error as Error).message}), so nothing would prevent a second process from ` +
        'damaging it. Use a folder that this user can write to, on a file system that supports locks. Example: DATA_DIR=./data',
    )
  }
}

function inUse(folder: string, owner: number): ConfigError {
  const who = owner === 0 ? 'another process' : `process ${owner}`
  // An id that is unknown here, or that is this process's own, comes from another container or machine.
  const where = owner > 0 && (owner === process.pid || !isAlive(owner)) ? ' (in another container or on another machine)' : ''
  return new ConfigError(
    `DATA_DIR=${folder}: ${who}${where} is using this folder. Stop it first, or use another folder. ` +
      'Example: DATA_DIR=./data-2',
  )
}

/** Older versions, which have no other lock, write the id without a newline. */
async function readRecord(folder: string): Promise<{ processId: number; isOlderVersion: boolean }> {
  const text = await readFile(recordFile(folder), 'utf8').catch(() => '')
  const processId = Number(text)
  return { processId: processId > 0 ? processId : 0, isOlderVersion: processId > 0 && !text.endsWith('\n') }
}

/** A running process of an older version, which does not hold the file lock. */
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
 * Removes what a dead process left behind: files that engines spilled to disk, staged backups, unpacked restores and unfinished
 * databases. Only the owner of the folder may call this, since no other process can be using these files.
 */
export async function removeTemporaryFiles(folder: string): Promise<void> {
  for (const name of ['temporary', 'restoring']) await rm(path.join(folder, name), { recursive: true, force: true })
  const databases = path.join(folder, 'databases')
  for (const file of await readdir(databases, { recursive: true }).catch(() => [])) {
    if (/\.part(\.wal)?$/.test(file)) await rm(path.join(databases, file), { force: true })
  }
}

/** After a restart of the machine or container, another program may have the process id of the dead owner. */
async function isService(processId: number): Promise<boolean> {
  const command = await readFile(`/proc/${processId}/cmdline`, 'utf8').catch(() => null)
  return command === null || /(^|[/\0])querypost(\.m?js)?\0/.test(command)
}

/** The service's secret: the configured one, or one generated at the first start, readable only by its owner. */
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
