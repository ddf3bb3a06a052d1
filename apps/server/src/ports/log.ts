import { pino, type Logger } from 'pino'

/** Structured log: one JSON line per event. `Log` is the part of pino that the service uses. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** The real log. Authorization headers, cookies and keys never reach a line. */
export function openLog(options: { level: string }): Logger {
  return pino({
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
  })
}
