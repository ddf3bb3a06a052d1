import type { ErrorPosition } from '../model/run.ts'

const excerptLength = 80

/** The line with a caret below the position, as database clients show it. Long lines are truncated. */
export function excerptAt(sql: string, { line, column }: ErrorPosition): string {
  const text = sql.split('\n')[line - 1]!.replaceAll('\t', ' ').trimEnd()
  const from = Math.max(0, Math.min(column - 1 - excerptLength / 2, text.length - excerptLength))
  const cut = text.slice(from, from + excerptLength)
  const head = `LINE ${line}: ${from > 0 ? '…' : ''}`
  const tail = from + excerptLength < text.length ? '…' : ''
  return `${head}${cut}${tail}\n${' '.repeat(head.length + column - 1 - from)}^`
}
