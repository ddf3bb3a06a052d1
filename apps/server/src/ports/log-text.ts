import { styleText } from 'node:util'

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

interface LogLine {
  level: number
  time: string
  msg?: string
  err?: { message?: string; stack?: string }
  [field: string]: unknown
}

/**
 * A JSON log line as text for a person at a terminal, in colors if standard output shows them:
 *
 *     09:14:22 warn  delivery attempt failed  endpointId=we_3Br7 status=500
 *
 * An error's stack follows on lines of its own.
 */
export function describeLogLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as LogLine
  const name = levels[level] ?? String(level)
  const color = level >= 50 ? 'red' : level >= 40 ? 'yellow' : 'cyan'
  const start = `${styleText('dim', localTime(time))} ${styleText(color, name.padEnd(5))} ${printable(msg)}`
  const details = Object.entries(fields).map(([field, value]) => `${field}=${fieldText(value)}`)
  const stack = err ? (err.stack ?? err.message ?? JSON.stringify(err)) : undefined
  const parts = [start, ...(details.length > 0 ? [styleText('dim', details.join(' '))] : [])]
  return `${parts.join('  ')}\n${stack === undefined ? '' : indented(stack)}`
}

const localTime = (iso: string) => new Date(iso).toTimeString().slice(0, 8)

/** Quoted when it holds anything but plain characters, so that fields stay apart and nothing controls the terminal. */
function fieldText(value: unknown): string {
  if (typeof value === 'string' && /^[\w.:/@+~%=-]+$/.test(value)) return value
  return printable(JSON.stringify(value))
}

const printable = (text: string) =>
  text.replaceAll(/\p{Cc}|\p{Cf}/gu, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`)

const indented = (stack: string) =>
  stack
    .split('\n')
    .map((line) => `    ${printable(line)}\n`)
    .join('')
