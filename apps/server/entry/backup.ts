export { backUp } from '../src/backup/back-up.ts'
export { restore } from '../src/backup/restore.ts'
