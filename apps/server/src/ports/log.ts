import { pino, type Logger } from 'pino'
import { type LogWriter, openStdoutWriter } from './log-writer.ts'

/** Structured log: one JSON line per event. `Log` is the part of pino that the service uses. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** The real log. Authorization headers, cookies and keys never reach a line. */
export function openLog(options: { level: string; writer?: LogWriter }): Logger {
  const writer = options.writer ?? openStdoutWriter()
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    },
    writer,
  )
  writer.onRecovery((droppedLines) => log.error({ droppedLines }, 'log lines dropped: output was full, slow or closed'))
  return log
}
