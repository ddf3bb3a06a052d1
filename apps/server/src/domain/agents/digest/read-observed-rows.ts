import type { Field } from '../../../model/result.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import { storableText } from '../../../store/chats/storable-json.ts'
import { type Preview, previewRows } from '../../../model/chat.ts'
import { cutPreview } from '../preview.ts'
import { type Column, type Decimal, makeSum, readColumns } from '@querypost/answers'
import { observedRows, rememberedTextLength } from '../../../model/observation.ts'

/** A result as the digest uses it: read once, in bounded memory. */
export interface ReadResult {
  columns: Column[]
  rowCount: number
  /** Exact totals over all rows for every measure that contains a number; by column index. */
  totals: Map<number, Decimal>
  /** Columns with NaN or an infinity, by index: totals leave them out, and expressions do not compute with them. */
  unreadable: Set<number>
  /** All rows with their text truncated; null when there are too many. */
  rows: unknown[][] | null
  preview: Preview
}

/** Limit for the text in the kept rows. */
const keptTextMaxLength = 16 * 1024 * 1024

export async function readResult(result: { fields: Field[]; batches: AsyncIterable<unknown[][]> }): Promise<ReadResult> {
  const columns = readColumns(result.fields)
  const sums = columns.filter(({ role }) => role === 'measure').map(({ index }) => ({ index, sum: makeSum() }))
  const numeric = columns.filter(({ role }) => role === 'measure' || role === 'level').map(({ index }) => index)
  const unreadable = new Set<number>()
  const first: unknown[][] = []
  let rows: unknown[][] | null = []
  let rowCount = 0
  let textLength = 0
  for await (const batch of result.batches) {
    for (const row of batch) {
      rowCount++
      if (first.length < previewRows) first.push(row)
      for (const { index, sum } of sums) sum.add(row[index])
      for (const index of numeric) if (notNumbers.has(row[index])) unreadable.add(index)
      if (!rows) continue
      const kept = columns.map(({ index, role }) => (role === 'aside' ? null : keptValue(row[index])))
      for (const value of kept) if (typeof value === 'string') textLength += value.length
      rows.push(kept)
      if (rowCount > observedRows || textLength > keptTextMaxLength) rows = null
    }
  }
  const totals = sums.flatMap(({ index, sum }) => {
    const total = sum.total()
    return total ? [[index, total] as const] : []
  })
  return { columns, rowCount, totals: new Map(totals), unreadable, rows, preview: cutPreview({ fields: result.fields, rows: first }) }
}

const notNumbers = new Set<unknown>(['NaN', 'Infinity', '-Infinity'])

/** A value with its text truncated. Numbers written as text are not truncated, since part of a number is a different number. */
export function keptValue(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const isWhole = value.length <= rememberedTextLength || /^-?[\d.]+$/.test(value)
  return storableText(isWhole ? value : withEllipsis(value, rememberedTextLength - 1))
}
