import { pino } from 'pino'

/** For tests whose subject is not what gets logged. */
export const silentLog = pino({ level: 'silent' })
