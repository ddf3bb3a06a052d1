import type { CellFormatter } from '@querypost/visualization'
import type { Field } from '../api/first-rows.ts'

/** The initial width of a column is computed from this many rows. */
const sampledRows = 60
const characterWidth = 7.8
const headerCharacterWidth = 7.8
const boldCharacterWidth = 8.8
const padding = 26
/** Room for the sort arrow beside the name. */
const sortMarkWidth = 20

export const minWidth = 64
const maxInitialWidth = 340
/** On a phone the first column stays in place while the others scroll, so it must leave room for them. */
const maxInitialWidthPinned = 150

/** Fits the content, up to a limit; users can widen the column further. */
export function initialWidth(
  field: Field,
  options: {
    fieldIndex: number
    rows: unknown[][]
    format: CellFormatter
    title: string | undefined
    total: string | null | undefined
    isNarrow: boolean
  },
): number {
  const { fieldIndex, rows, format, title = field.name, total, isNarrow } = options
  const max = isNarrow && fieldIndex === 0 ? maxInitialWidthPinned : maxInitialWidth
  const longest = rows
    .slice(0, sampledRows)
    .reduce((length, row) => Math.max(length, format(row[fieldIndex])?.length ?? 4), 0)
  const name = Math.max(title.length, typeLabel(field).length) * headerCharacterWidth + sortMarkWidth
  return Math.round(Math.min(max, Math.max(minWidth, longest * characterWidth, name, (total?.length ?? 0) * boldCharacterWidth)) + padding)
}

export const typeLabel = ({ type }: Field) => (type === 'timestamp' ? 'timestamp (UTC)' : type)
