import type { Comparison, RowComparer } from '../../../engines/duckdb/compare/row-comparer.ts'
import type { Caller } from '../../../model/caller.ts'
import type { KeptResultInFull } from '../../../model/history.ts'
import type { StoredResult } from '../../../results/result-store.ts'
import { Refusal } from '../../refusal.ts'
import { getKeptResult, type HistoryDeps } from '../kept-results.ts'
import { openKeptResult, type OpenKeptResultDeps } from '../open-kept-result.ts'
import { type ColumnChanges, compareColumns, keyCandidates, type SharedColumn } from './compare-columns.ts'
import { presentChange } from './present-change.ts'
import { linesOf, withRowsOfBoth } from './row-lines.ts'

export interface CompareDeps extends OpenKeptResultDeps, Pick<HistoryDeps, 'findReference'> {
  rowComparer: RowComparer
}

export interface ComparedResults {
  from: KeptResultInFull
  to: KeptResultInFull
  /** The names of the columns that identify a row. */
  keyColumns: string[]
  /** `chosen` by the caller, `inferred` because unique in both results, or `all_columns`, since no key was found. */
  keyChoice: 'chosen' | 'inferred' | 'all_columns'
  /** Whether the key occurs at most once in each result. */
  isKeyUnique: boolean
  columns: ColumnChanges
  added: number
  removed: number
  changed: number
  unchanged: number
  /** Each change as JSON. Must be read to its end or closed. */
  changes(): AsyncGenerator<string>
  close(): Promise<void>
}

/** Compares two kept results of a reference, row by row. */
export async function compareKeptResults(
  deps: CompareDeps,
  caller: Caller,
  input: { shortId: string; from: string; to: string; keyColumns?: string[]; signal: AbortSignal },
): Promise<ComparedResults> {
  const { shortId } = input
  const { result: from } = await getKeptResult(deps, caller, { shortId, runId: input.from })
  const { result: to } = await getKeptResult(deps, caller, { shortId, runId: input.to })
  return { from, to, ...(await compareStoredResults(deps, { ...input, from: () => openKeptResult(deps, from), to: () => openKeptResult(deps, to) })) }
}

/** Compares any two results, for example a kept one with the cached one. */
export async function compareStoredResults(
  deps: Pick<CompareDeps, 'rowComparer'>,
  input: { from(): Promise<StoredResult>; to(): Promise<StoredResult>; keyColumns?: string[]; signal: AbortSignal },
): Promise<Omit<ComparedResults, 'from' | 'to'>> {
  return withRowsOfBoth(input, async ({ from, to }) => {
    const { shared, columns } = compareColumns(from.fields, to.fields)
    const key = input.keyColumns ? chosenKey(shared, input.keyColumns) : null
    const comparison = await deps.rowComparer.compare({
      rows: { from: linesOf(from), to: linesOf(to) },
      shared: shared.map((column) => ({ from: column.from, to: column.to })),
      key,
      candidates: keyCandidates(shared),
      signal: input.signal,
    })
    return present(comparison, { shared, columns, isChosen: key !== null })
  })
}

function present(
  comparison: Comparison,
  { shared, columns, isChosen }: { shared: SharedColumn[]; columns: ColumnChanges; isChosen: boolean },
): Omit<ComparedResults, 'from' | 'to'> {
  const { key, added, removed, changed } = comparison
  return {
    keyColumns: key.map((position) => shared[position]!.name),
    keyChoice: isChosen ? 'chosen' : comparison.isFound ? 'inferred' : 'all_columns',
    isKeyUnique: comparison.isUnique,
    columns,
    added,
    removed,
    changed,
    unchanged: comparison.rowCounts[0]! - removed - changed,
    async *changes() {
      try {
        for await (const change of comparison.changes()) yield presentChange(change, { shared, key })
      } finally {
        await comparison.close()
      }
    },
    close: () => comparison.close(),
  }
}

export function chosenKey(shared: SharedColumn[], names: string[]): number[] {
  return [...new Set(names)].map((name) => {
    const position = shared.findIndex((column) => column.name === name)
    if (position >= 0) return position
    throw new Refusal('invalid_request', `The column ${JSON.stringify(name)} is not in both results, so it cannot be part of the key.`, [
      { path: 'keyColumns', message: `${JSON.stringify(name)} is not in both results` },
    ])
  })
}
