import type { Caller } from '../../model/caller.ts'
import { type RecipientValues, reportLimits, type ReportValues } from '../../model/report.ts'
import type { Field } from '../../model/result.ts'
import { type QueryRunDeps, runReferenceToEnd } from '../agents/query-runs.ts'
import { Refusal } from '../refusal.ts'
import { openResultRows } from '../results/result-rows.ts'
import type { ValueEntry } from './list-recipients.ts'
import type { SectionDeps } from './render-section.ts'

/** Recipients with their values: as listed in the report, or one for each row of a query's result. */
export async function readValueEntries(
  deps: QueryRunDeps & SectionDeps,
  caller: Caller,
  values: ReportValues | null,
  options: { resultsSince: Date; signal: AbortSignal },
): Promise<ValueEntry[]> {
  if (values === null) return []
  if (values.kind === 'list') return values.entries
  const run = await runReferenceToEnd(deps, caller, {
    shortId: values.referenceShortId,
    notBefore: options.resultsSince,
    signal: options.signal,
  })
  if (run.status === 'failed') throw new Refusal('invalid_request', `The query that lists the recipients failed. ${run.failureReason}`)
  if ((run.rowCount ?? 0) > reportLimits.valueEntries) {
    throw new Refusal('invalid_request', `The query that lists the recipients has more than ${reportLimits.valueEntries} rows.`)
  }
  const { fields, rows } = await openResultRows(deps, run)
  const readRow = rowReader(values, fields)
  const entries: ValueEntry[] = []
  for await (const row of rows) entries.push(...readRow(row))
  return entries
}

/**
 * A row without an e-mail address, or without one of the values, is left out: a missing value would fall back to the board's default,
 * which may show what the recipient must not see.
 */
export function rowReader(values: Extract<ReportValues, { kind: 'query' }>, fields: readonly Field[]): (row: unknown[]) => ValueEntry[] {
  const placeOf = (column: string) => {
    const at = fields.findIndex(({ name }) => name === column)
    if (at === -1) throw new Refusal('invalid_request', `The query that lists the recipients has no column “${column}”.`)
    return at
  }
  const emailAt = placeOf(values.emailColumn)
  const places = Object.entries(values.columns).map(([parameter, column]) => [parameter, placeOf(column)] as const)
  return (row) => {
    const email = textOf(row[emailAt])?.trim().toLowerCase()
    if (!email || !/^[^\s@]+@[^\s@]+$/.test(email)) return []
    const given: RecipientValues = {}
    for (const [parameter, at] of places) {
      const value = row[at]
      const text = Array.isArray(value) ? value.flatMap((each) => textOf(each) ?? []) : textOf(value)
      if (text === undefined) return []
      given[parameter] = text
    }
    return [{ recipient: { kind: 'address', email }, values: given }]
  }
}

/** Undefined for a missing value, and for JSON, which no parameter takes. */
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
