import { type Static, Type } from 'typebox'
import type { Field } from '../../model/result.ts'
import { Refusal } from '../../domain/refusal.ts'
import { openResultRows } from '../../domain/results/result-rows.ts'
import { cachedResultOf } from '../../domain/results/results.ts'
import type { Run } from '../../model/run.ts'
import type { QueryServices } from '../../domain/services.ts'
import { bounds } from './mcp-limits.ts'
import { linksAt } from './mcp-links.ts'
import { shownValues } from './present-run.ts'
import { integer, Next, nullableInteger, ShownValues, text } from './shapes.ts'
import { shown, shownValue } from './mcp-texts.ts'

/** Some rows of a result, and how to read more. */
export const RowsAnswer = Type.Object({
  runId: text,
  queryId: text,
  completedAt: text,
  expiresAt: text,
  parameterValues: ShownValues,
  columnCount: integer,
  columns: Type.Array(Type.Object({ name: text, type: text })),
  rowCount: integer,
  offset: integer,
  rows: Type.Array(Type.Array(Type.Unsafe<unknown>({})), { description: 'One value per column, in the order of columns' }),
  nextOffset: nullableInteger,
  url: text,
  next: Next,
})

export interface RowsRequest {
  offset: number
  limit: number
  /** Column names. Default: all columns. */
  columns?: string[]
}

type Deps = Pick<QueryServices, 'clock' | 'results' | 'resultLifetimeMs' | 'baseUrl'>

/** Rows for a model: as many as requested and as fit, at least one, with long values truncated. */
export async function readRowsAnswer(deps: Deps, run: Run, request: RowsRequest): Promise<Static<typeof RowsAnswer>> {
  const { offset, limit } = request
  const { expiresAt } = cachedResultOf(deps, run)
  const { fields, rows: stored } = await openResultRows(deps, run, { offset })
  const places = choosePlaces(fields, request.columns)
  const cellCharacters = Math.max(20, Math.min(bounds.cell, Math.floor(bounds.rowsCharacters / 2 / places.length)))
  const rows: unknown[][] = []
  let characters = 0
  for await (const row of stored) {
    const cells = places.map((place) => shownValue(row[place], cellCharacters))
    characters += JSON.stringify(cells).length + 1
    if (rows.length > 0 && characters > bounds.rowsCharacters) break
    rows.push(cells)
    if (rows.length === limit) break
  }
  const rowCount = run.rowCount!
  const end = offset + rows.length
  return {
    runId: run.id,
    queryId: run.queryId,
    completedAt: run.completedAt!.toISOString(),
    expiresAt: expiresAt.toISOString(),
    parameterValues: shownValues(run.parameterValues),
    columnCount: fields.length,
    columns: places.map((place) => ({ name: shownName(fields[place]!), type: fields[place]!.type })),
    rowCount,
    offset,
    rows,
    nextOffset: end < rowCount && end <= bounds.offsetMaximum ? end : null,
    url: linksAt(deps).run(run.id),
    next: [nextStep(run, { end, shownRows: rows.length }), ...omittedColumns(fields.length, places.length, request)].join(' '),
  }
}

const shownName = ({ name }: Field) => shown(name, bounds.listedText)

/** The indexes of the columns to show. Without a choice, as many as fit. */
function choosePlaces(fields: Field[], chosen: string[] | undefined): number[] {
  if (chosen) return chosen.map((name) => placeOf(fields, name))
  let characters = 0
  const end = fields.findIndex((field) => (characters += JSON.stringify(field).length + 1) > bounds.columnsCharacters)
  return Array.from({ length: end === -1 ? fields.length : Math.max(1, end) }, (_, place) => place)
}

function placeOf(fields: Field[], name: string): number {
  // Accepts the full name, or the name as it was shown.
  const place = fields.findIndex((field) => field.name === name || shownName(field) === name)
  if (place >= 0) return place
  const some = fields.slice(0, 20).map((field) => JSON.stringify(shownName(field)))
  const others = fields.length > some.length ? ` and ${fields.length - some.length} more` : ''
  const message = `is not in the result; its columns are ${some.join(', ')}${others}`
  const named = JSON.stringify(shown(name, bounds.listedText))
  throw new Refusal('invalid_request', `The column ${named} ${message}.`, [{ path: '/columns', message }])
}

function nextStep(run: Run, { end, shownRows }: { end: number; shownRows: number }): string {
  if (end >= run.rowCount!) return shownRows === run.rowCount ? 'These are all rows.' : 'There are no further rows.'
  if (end > bounds.offsetMaximum) return 'There are more rows than this tool can read; url has all of them.'
  return `Use read_result with runId ${run.id} and offset ${end} to continue.`
}

function omittedColumns(columnCount: number, shownCount: number, { columns }: RowsRequest): string[] {
  if (columns || shownCount === columnCount) return []
  return [`Only the first ${shownCount} of ${columnCount} columns are shown; use columns to choose others.`]
}
