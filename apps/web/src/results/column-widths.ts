import type { Field } from '../api/first-rows.ts'
import { cellText } from './cell.ts'

/** The rows that a column's first width is made for. */
const rowsLookedAt = 60
const characterWidth = 7.8
const headerCharacterWidth = 7.8
const padding = 26
/** Room for the mark of the sort beside the name. */
const sortMarkWidth = 20

export const narrowestWidth = 64
const widestAtFirst = 340

/** As wide as what stands in it, within reason; whoever wants to see more of it makes it wider. */
export function firstWidth(field: Field, fieldAt: number, rows: unknown[][]): number {
  const longest = rows
    .slice(0, rowsLookedAt)
    .reduce((length, row) => Math.max(length, cellText(field.type, row[fieldAt])?.length ?? 4), 0)
  const name = Math.max(field.name.length, typeLabel(field).length) * headerCharacterWidth + sortMarkWidth
  return Math.round(Math.min(widestAtFirst, Math.max(narrowestWidth, longest * characterWidth, name)) + padding)
}

export const typeLabel = ({ type }: Field) => (type === 'timestamp' ? 'timestamp, UTC' : type)
