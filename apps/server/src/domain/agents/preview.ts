import type { Preview } from '../../model/chat.ts'
import { withEllipsis } from '../../ports/cut-text.ts'

const valueMaxLength = 500

/** Rows for a chat to keep, with long values truncated. */
export function cutPreview({ fields, rows }: Preview): Preview {
  return { fields, rows: rows.map((row) => row.map(cut)) }
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length > valueMaxLength ? withEllipsis(value, valueMaxLength - 1) : value
  if (typeof value !== 'object' || value === null) return value
  const text = JSON.stringify(value)
  return text.length > valueMaxLength ? withEllipsis(text, valueMaxLength - 1) : value
}
