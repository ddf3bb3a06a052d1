import { pino, type Logger } from 'pino'
import { describeLogLine } from './log-text.ts'
import { type LogWriter, openStdoutWriter } from './log-writer.ts'

/** The part of pino's logger that the service uses. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/**
 * Opens the log: one JSON line per event, or with `format: 'text'` the same for people. Authorization headers, cookies and keys never
 * reach a line.
 */
export function openLog(options: { level: string; format?: 'json' | 'text'; writer?: LogWriter }): Logger {
  const writer = options.writer ?? openStdoutWriter()
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    },
    options.format === 'text' ? { write: (line: string) => writer.write(describeLogLine(line)) } : writer,
  )
  writer.onRecovery((droppedLines) => log.error({ droppedLines }, 'log lines dropped: output was full, slow or closed'))
  return log
}
