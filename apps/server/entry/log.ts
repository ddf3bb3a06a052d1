export { type Log, openLog } from '../src/ports/log.ts'
