import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** What is known about the backups of a data directory, for `querypost doctor`. */
export interface BackupRecord {
  /** When the last backup was made. */
  backedUpAt?: string
  /** When a backup last passed a restore drill, and when that backup was made. */
  verified?: { at: string; backupCreatedAt: string }
}

const recordName = 'backups.json'

/** Empty if nothing is recorded, or if the record can't be read. */
export async function readBackupRecord(dataDirectory: string): Promise<BackupRecord> {
  const text = await readFile(path.join(dataDirectory, recordName), 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text) as BackupRecord
  } catch {
    return {}
  }
}

/** Does nothing if the folder can't be written: the backup itself is not affected. */
export async function noteInBackupRecord(dataDirectory: string, change: BackupRecord): Promise<void> {
  const record = { ...(await readBackupRecord(dataDirectory)), ...change }
  const file = path.join(dataDirectory, recordName)
  try {
    await writeFile(`${file}.part`, `${JSON.stringify(record)}\n`, { mode: 0o600 })
    await rename(`${file}.part`, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}
