import { EngineError } from '../engine.ts'
import type { ErrorPosition } from '../../model/run.ts'
import { excerptAt } from '../error-excerpt.ts'

/** An error message of the server: its fields by their letters. */
export type Fault = Partial<Record<string, string>>

export function readFault(bytes: Buffer, start: number, end: number): Fault {
  const fault: Fault = {}
  for (const field of bytes.toString('utf8', start, end).split('\0')) {
    if (field !== '') fault[field[0]!] = field.slice(1)
  }
  return fault
}

/** An error in the statement, with the server's message; or a fatal one, after which the server closes the connection. */
export function faultError(fault: Fault, sql: string): EngineError {
  const { M: message = 'The server gave no reason.', C: code, D: detail, H: hint } = fault
  const position = fault['P'] === undefined ? null : positionAt(sql, Number(fault['P']))
  const text = [message, detail, hint && `Hint: ${hint}`].filter(Boolean).join('\n')
  if (isFatal(fault)) return new EngineError('unreachable', `The database server closed the connection: ${text}`)
  // A write in a read-only transaction.
  if (code === '25006') return new EngineError('refused', text, { position })
  return new EngineError('failed', position ? `${text}\n\n${excerptAt(sql, position)}` : text, { position })
}

/** Prefers the untranslated severity, which servers before 9.6 do not send. */
export function isFatal(fault: Fault): boolean {
  const severity = fault['V'] ?? fault['S']
  return severity === 'FATAL' || severity === 'PANIC'
}

/** The server counts characters from 1. A character outside the BMP is two code units in JavaScript. */
export function positionAt(sql: string, character: number): ErrorPosition | null {
  if (!Number.isInteger(character) || character < 1) return null
  let offset = 0
  for (let count = 1; count < character; count++) {
    const code = sql.codePointAt(offset)
    if (code === undefined) return null
    offset += code > 0xffff ? 2 : 1
  }
  const lines = sql.slice(0, offset).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
