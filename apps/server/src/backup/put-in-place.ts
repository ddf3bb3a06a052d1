/**
 * The last step of a restore. It happens inside DATA_DIR, which may be a mounted volume that cannot be replaced as a whole:
 *
 *     restoring/    unpacked and not yet verified; safe to delete
 *     restored/     verified. The rename of `restoring/` to `restored/` commits the restore
 *     replaced-…/   the previous content of DATA_DIR, never deleted
 *
 * The content of `restored/` is then moved into place, part by part. If that is interrupted, the next start continues: each step is a
 * single atomic rename.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { lockDataDirectory } from '../settings/data-directory.ts'
import { parts } from './manifest.ts'

export const restoringFolder = (dataDirectory: string) => path.join(dataDirectory, 'restoring')
const restoredFolder = (dataDirectory: string) => path.join(dataDirectory, 'restored')
/** Kept in DATA_DIR; records which backup the state comes from. */
const recordFile = 'restored.json'

export interface RestoreRecord {
  /** New with each restore, because whatever happened after the backup belongs to a different history. */
  id: string
  restoredAt: string
  backup: { createdAt: string; querypostVersion: string }
  /** The parts that the backup contains. */
  parts: string[]
  /** Where the previous content goes, if there is any. */
  replacedFolder: string
}

/** After this, the restore is completed even if the process dies. */
export async function commitRestore(dataDirectory: string, record: RestoreRecord): Promise<void> {
  const folder = restoringFolder(dataDirectory)
  await writeFile(path.join(folder, recordFile), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  await rename(folder, restoredFolder(dataDirectory))
}

/** Only for the owner of the folder. */
export async function moveIntoPlace(dataDirectory: string): Promise<void> {
  const folder = restoredFolder(dataDirectory)
  const record = await readRecord(folder)
  if (record) {
    const aside = path.join(dataDirectory, record.replacedFolder)
    for (const part of [...parts, recordFile]) {
      const isInBackup = part === recordFile || record.parts.includes(part)
      const isPending = existsSync(path.join(folder, part))
      if ((!isInBackup || isPending) && existsSync(path.join(dataDirectory, part))) {
        await mkdir(aside, { recursive: true, mode: 0o700 })
        await rename(path.join(dataDirectory, part), path.join(aside, part))
      }
      // The record is moved last: while it is here, the restore is unfinished.
      if (isPending) await rename(path.join(folder, part), path.join(dataDirectory, part))
    }
  }
  await rmdir(folder)
}

/** Completes a committed restore that was interrupted while its parts were moved into place. */
export async function finishRestore(dataDirectory: string, processId: number): Promise<void> {
  if (!existsSync(restoredFolder(dataDirectory))) return
  const unlock = await lockDataDirectory(dataDirectory, processId)
  try {
    if (existsSync(restoredFolder(dataDirectory))) await moveIntoPlace(dataDirectory)
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
 * Identifies the history of an embedded store. A restored store assigns transaction ids that were already used for other
 * transactions, so cursors issued before the restore must not be valid after it.
 */
export async function storeHistoryId(dataDirectory: string, systemIdentifier: string): Promise<string> {
  const record = await readRecord(dataDirectory)
  return record ? `${systemIdentifier}-${record.id}` : systemIdentifier
}

export const removeUnverified = (dataDirectory: string) =>
  rm(restoringFolder(dataDirectory), { recursive: true, force: true })
