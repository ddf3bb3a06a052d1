import { EngineError } from '../engine.ts'
import type { ErrorPosition } from '../../model/run.ts'
import { excerptAt } from '../error-excerpt.ts'

/** What the server says when it finds fault: the fields of its message by their letters. */
export type Fault = Partial<Record<string, string>>

export function readFault(bytes: Buffer, start: number, end: number): Fault {
  const fault: Fault = {}
  for (const field of bytes.toString('utf8', start, end).split('\0')) {
    if (field !== '') fault[field[0]!] = field.slice(1)
  }
  return fault
}

/** A fault of the statement, in the server's words; or of the connection, which the server then ends. */
export function faultError(fault: Fault, sql: string): EngineError {
  const { M: message = 'The server gave no reason.', C: code, D: detail, H: hint } = fault
  const position = fault['P'] === undefined ? null : positionAt(sql, Number(fault['P']))
  const words = [message, detail, hint && `Hint: ${hint}`].filter(Boolean).join('\n')
  if (isFatal(fault)) return new EngineError('unreachable', `The database server ended the connection: ${words}`)
  // A write in a read-only transaction.
  if (code === '25006') return new EngineError('refused', words, { position })
  return new EngineError('failed', position ? `${words}\n\n${excerptAt(sql, position)}` : words, { position })
}

/** The severity without translation, which servers before 9.6 do not give. */
export function isFatal(fault: Fault): boolean {
  const severity = fault['V'] ?? fault['S']
  return severity === 'FATAL' || severity === 'PANIC'
}

/** The server counts characters from 1; a character beyond the first plane is two units in JavaScript. */
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
