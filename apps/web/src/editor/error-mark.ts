import type { Diagnostic } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import type { SqlEditorProps } from './sql-editor-props.ts'

/** Marks the word or symbol at the position reported by the engine; empty if the text has no such position. */
export function errorMark(doc: Text, error: NonNullable<SqlEditorProps['error']>): Diagnostic[] {
  const { line: lineNumber, column } = error.position
  if (lineNumber < 1 || lineNumber > doc.lines) return []
  const line = doc.line(lineNumber)
  const start = Math.min(line.from + column - 1, line.to)
  const rest = doc.sliceString(start, line.to)
  const length = /^(?:[\p{L}\p{N}_$]+|"(?:[^"]|"")*"|\S)/u.exec(rest)?.[0].length ?? 0
  // There is nothing to mark at the end of a line, so mark the character before it.
  const from = length === 0 ? Math.max(line.from, start - 1) : start
  return [{ from, to: Math.max(start + length, from), severity: 'error', message: error.message }]
}
