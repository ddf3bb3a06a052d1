import type { Comparison, RowComparer } from '../../../engines/duckdb/compare/row-comparer.ts'
import type { Caller } from '../../../model/caller.ts'
import type { KeptResultInFull } from '../../../model/history.ts'
import type { Field } from '../../../model/result.ts'
import { eachValue } from '../../../results/downloads/download-values.ts'
import { type RawRows, readRawRows } from '../../../results/read-rows.ts'
import type { StoredResult } from '../../../results/result-store.ts'
import { Refusal } from '../../refusal.ts'
import { getKeptResult, type HistoryDeps } from '../kept-results.ts'
import { openKeptResult, type OpenKeptResultDeps } from '../open-kept-result.ts'
import { type ColumnChanges, compareColumns, keyCandidates, type SharedColumn } from './compare-columns.ts'
import { presentChange } from './present-change.ts'

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
  const [fromRows, toRows] = [await readRawRows(await input.from(), { rowMaxBytes }), await readRawRows(await input.to(), { rowMaxBytes })]
  try {
    const { shared, columns } = compareColumns(fromRows.fields, toRows.fields)
    const key = input.keyColumns ? chosenKey(shared, input.keyColumns) : null
    const comparison = await deps.rowComparer.compare({
      rows: { from: linesOf(fromRows), to: linesOf(toRows) },
      shared: shared.map(({ from, to }) => ({ from, to })),
      key,
      candidates: keyCandidates(shared),
      signal: input.signal,
    })
    return present(comparison, { shared, columns, isChosen: key !== null })
  } finally {
    await fromRows.batches.return(undefined)
    await toRows.batches.return(undefined)
  }
}

/** A little more than the largest row any engine returns. */
export const rowMaxBytes = 40 * 1024 * 1024

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

function chosenKey(shared: SharedColumn[], names: string[]): number[] {
  return [...new Set(names)].map((name) => {
    const position = shared.findIndex((column) => column.name === name)
    if (position >= 0) return position
    throw new Refusal('invalid_request', `The column ${JSON.stringify(name)} is not in both results, so it cannot be part of the key.`, [
      { path: 'keyColumns', message: `${JSON.stringify(name)} is not in both results` },
    ])
  })
}

/** Rows in the form that the comparer reads. JSON values lose line breaks between their tokens, which mean nothing. */
function linesOf({ fields, batches }: RawRows): { columnCount: number; lines(): AsyncIterable<string> } {
  async function* lines(): AsyncGenerator<string> {
    let position = 0
    for await (const rows of batches) {
      let out = ''
      let line = `{"p":${position}`
      eachValue(rows, {
        value(json, column) {
          line += `,"${column}":${JSON.stringify(plainJson(json, fields[column]!))}`
        },
        rowEnd() {
          out += `${line}}\n`
          position++
          line = `{"p":${position}`
        },
      })
      yield out
    }
  }
  return { columnCount: fields.length, lines }
}

/** A value on one line. */
export const plainJson = (json: string, { type }: Field) => (type === 'json' ? json.trim().replaceAll(/[\r\n]+/g, ' ') : json)
