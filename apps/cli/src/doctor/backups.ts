import { existsSync } from 'node:fs'
import path from 'node:path'
import type { BackupRecord } from '@querypost/server/backup'
import { type Check, ok, skipped, warning } from '../checks.ts'
import { formatDuration } from '../durations.ts'
import type { Examination } from './examination.ts'

const dayMs = 24 * 3600_000
const backupTooOldMs = 2 * dayMs
const drillTooOldMs = 90 * dayMs

/** How old the last backup is, and when one last passed a restore drill, as the commands recorded it in the data directory. */
export const backups: Examination = {
  name: 'backups',
  async run({ config, clock }) {
    const { dataDirectory, databaseUrl } = config
    const hasData = databaseUrl !== null || existsSync(path.join(dataDirectory, 'store'))
    if (!hasData) return [skipped('backups', 'There is nothing to back up yet.')]
    const { readBackupRecord } = await import('@querypost/server/backup')
    const record = await readBackupRecord(dataDirectory)
    const nowMs = clock.now().getTime()
    const checks = [judgeBackupAge(record, nowMs), judgeDrill(record, nowMs)]
    if (databaseUrl === null) return checks
    return [...checks, skipped('PostgreSQL backups', 'Made with PostgreSQL’s own tools, so their age is not known here.')]
  },
}

export function judgeBackupAge({ backedUpAt }: BackupRecord, nowMs: number): Check {
  const remedy = 'Run `querypost backup` every night (docs/backups.md).'
  if (backedUpAt === undefined) return warning('backups', 'No backup has been made of this data directory.', remedy)
  const ageMs = nowMs - Date.parse(backedUpAt)
  const message = `The last backup was made ${ago(ageMs)}.`
  return ageMs > backupTooOldMs ? warning('backups', message, remedy) : ok('backups', message)
}

export function judgeDrill({ backedUpAt, verified }: BackupRecord, nowMs: number): Check {
  const remedy = 'Run `querypost backup verify <file>` on a recent backup.'
  if (backedUpAt === undefined && !verified) return skipped('restore drill', 'There is no backup to restore.')
  if (!verified) return warning('restore drill', 'No backup has been restored to verify it.', remedy)
  const ageMs = nowMs - Date.parse(verified.at)
  const message = `A backup was last restored and verified ${ago(ageMs)}.`
  return ageMs > drillTooOldMs ? warning('restore drill', message, remedy) : ok('restore drill', message)
}

const ago = (ageMs: number) => (ageMs < 60_000 ? 'less than a minute ago' : `${formatDuration(ageMs / 1000)} ago`)
