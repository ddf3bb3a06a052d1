export { backUp } from '../src/backup/back-up.ts'
export { noteInBackupRecord, readBackupRecord, type BackupRecord } from '../src/backup/backup-record.ts'
export { type Drill, drill } from '../src/backup/drill.ts'
export { restore } from '../src/backup/restore.ts'
