/**
 * The last step of a restore, within DATA_DIR, since that may be a mounted volume which nothing can be moved over:
 *
 *     restoring/    what is unpacked and not yet judged; worth nothing
 *     restored/     the same, judged whole. The one rename between the two decides: from here on the restore has happened
 *     replaced-…/   what stood there before, never deleted
 *
 * What `restored/` holds is then moved up, part by part. When that is cut short, the next start goes on with it: each
 * step is one rename that leaves no doubt whether it has been made.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { lockDataDirectory } from '../settings/data-directory.ts'
import { parts } from './manifest.ts'

export const restoringFolder = (dataDirectory: string) => path.join(dataDirectory, 'restoring')
const restoredFolder = (dataDirectory: string) => path.join(dataDirectory, 'restored')
/** Stays, and says where this state comes from. */
const recordFile = 'restored.json'

export interface RestoreRecord {
  /** New with each restore: what happened after the backup happened in another history. */
  id: string
  restoredAt: string
  backup: { createdAt: string; querypostVersion: string }
  /** What the restore has brought. */
  parts: string[]
  /** Where what stood there before goes, if there is anything. */
  replacedFolder: string
}

/** From here on the restore has happened. */
export async function decide(dataDirectory: string, record: RestoreRecord): Promise<void> {
  const folder = restoringFolder(dataDirectory)
  await writeFile(path.join(folder, recordFile), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  await rename(folder, restoredFolder(dataDirectory))
}

/** For the owner of the folder. */
export async function moveUp(dataDirectory: string): Promise<void> {
  const folder = restoredFolder(dataDirectory)
  const record = await readRecord(folder)
  if (record) {
    const aside = path.join(dataDirectory, record.replacedFolder)
    for (const part of [...parts, recordFile]) {
      const isBrought = part === recordFile || record.parts.includes(part)
      const isStillToCome = existsSync(path.join(folder, part))
      if ((!isBrought || isStillToCome) && existsSync(path.join(dataDirectory, part))) {
        await mkdir(aside, { recursive: true, mode: 0o700 })
        await rename(path.join(dataDirectory, part), path.join(aside, part))
      }
      // The record is last: while it is here, there is something to go on with.
      if (isStillToCome) await rename(path.join(folder, part), path.join(dataDirectory, part))
    }
  }
  await rmdir(folder)
}

/** Goes on with a restore that had happened, and was cut short while its parts were moved up. */
export async function finishRestore(dataDirectory: string, processId: number): Promise<void> {
  if (!existsSync(restoredFolder(dataDirectory))) return
  const unlock = await lockDataDirectory(dataDirectory, processId)
  try {
    if (existsSync(restoredFolder(dataDirectory))) await moveUp(dataDirectory)
  } finally {
    await unlock()
  }
}

async function readRecord(folder: string): Promise<RestoreRecord | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, recordFile), 'utf8')) as RestoreRecord
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Names the history of an embedded store. A restored one has transaction ids that were handed out before, for other
 * transactions, so cursors from before the restore must not be taken for its own.
 */
export async function historyOf(dataDirectory: string, systemIdentifier: string): Promise<string> {
  const record = await readRecord(dataDirectory)
  return record ? `${systemIdentifier}-${record.id}` : systemIdentifier
}

export const forgetRestoring = (dataDirectory: string) =>
  rm(restoringFolder(dataDirectory), { recursive: true, force: true })
