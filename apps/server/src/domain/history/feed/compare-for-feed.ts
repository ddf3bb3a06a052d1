import { isDeepStrictEqual } from 'node:util'
import type { FeedComparison, FeedProblem } from '../../../model/change-feed.ts'
import type { Field } from '../../../model/result.ts'
import { eachValue } from '../../../results/downloads/download-values.ts'
import { readRawRows } from '../../../results/read-rows.ts'
import type { StoredResult } from '../../../results/result-store.ts'
import { type ComparedResults, compareStoredResults, type CompareDeps } from '../compare/compare-results.ts'
import { plainJson, rowMaxBytes } from '../compare/row-lines.ts'
import { sampleRows } from './sample-rows.ts'

type OpenResult = () => Promise<StoredResult>
type Compared = Omit<ComparedResults, 'from' | 'to'>

interface Pair {
  from: { rowCount: number; open: OpenResult }
  to: { rowCount: number; open: OpenResult }
  /** The key that people chose; null: it is inferred. */
  chosenKeyColumns: string[] | null
  /** The key of the comparison before. An inferred key is kept while it is unique, so that it rarely changes. */
  keyColumns: string[] | null
  signal: AbortSignal
}

type Deps = Pick<CompareDeps, 'rowComparer'>

/** Compares a result with the one before it. */
export async function compareForFeed(deps: Deps, pair: Pair): Promise<FeedComparison> {
  const fields = await readFields(pair.to.open)
  if (fields.length === 0 || !isDeepStrictEqual(await readFields(pair.from.open), fields)) {
    const { keyColumns: nextKeyColumns, problem } = await findFeedKey(deps, { ...pair, open: pair.to.open })
    return { ...(await replacement(pair)), problem, nextKeyColumns }
  }
  const { compared, problem } = await compareByKey(deps, pair, fields)
  try {
    const { keyColumns, isKeyUnique, added, removed, changed } = compared
    const sample = await sampleRows(compared.changes(), { add: added, remove: removed, change: changed })
    return { keyColumns, isKeyUnique, isReplacement: false, added, removed, changed, problem, nextKeyColumns: keyColumns, sampleRows: sample }
  } finally {
    await compared.close()
  }
}

/** The key of a single result, and what is wrong with it. */
export async function findFeedKey(
  deps: Deps,
  { open, chosenKeyColumns, signal }: { open: OpenResult; chosenKeyColumns: string[] | null; signal: AbortSignal },
): Promise<{ keyColumns: string[]; problem: FeedProblem | null }> {
  const fields = await readFields(open)
  if (fields.length === 0) return { keyColumns: [], problem: null }
  // Comparing a result with itself finds its key.
  const side = { rowCount: 0, open }
  const { compared, problem } = await compareByKey(deps, { from: side, to: side, chosenKeyColumns, keyColumns: null, signal }, fields)
  await compared.close()
  return { keyColumns: compared.keyColumns, problem }
}

/** A change whose rows are all removed and added: the columns differ, or the rows cannot be compared. */
export async function replacement({ from, to }: Pick<Pair, 'from' | 'to'>): Promise<FeedComparison> {
  const counts = { add: to.rowCount, remove: from.rowCount, change: 0 }
  const keyColumns = (await readFields(to.open)).map(({ name }) => name)
  return {
    keyColumns,
    isKeyUnique: false,
    isReplacement: true,
    added: counts.add,
    removed: counts.remove,
    changed: 0,
    problem: null,
    nextKeyColumns: null,
    sampleRows: await sampleRows(replacedRows({ from: from.open, to: to.open }), counts),
  }
}

/** The rows of a replacement: all removed, then all added, so that equal keys are free before they are taken again. */
export async function* replacedRows({ from, to }: { from: OpenResult; to: OpenResult }): AsyncGenerator<string> {
  for await (const row of rowsOf(from)) yield `{"op":"remove","key":${row},"before":${row}}`
  for await (const row of rowsOf(to)) yield `{"op":"add","key":${row},"after":${row}}`
}

async function compareByKey(deps: Deps, pair: Pair, fields: Field[]): Promise<{ compared: Compared; problem: FeedProblem | null }> {
  const { chosenKeyColumns: chosen, signal } = pair
  const compare = (keyColumns?: string[]) =>
    compareStoredResults(deps, { from: pair.from.open, to: pair.to.open, ...(keyColumns && { keyColumns }), signal })
  const has = (names: string[]) => names.every((name) => fields.some((field) => field.name === name))
  if (chosen && has(chosen)) {
    const compared = await compare(chosen)
    return { compared, problem: compared.isKeyUnique ? null : 'key_not_unique' }
  }
  const problem = chosen ? 'key_column_missing' : null
  if (pair.keyColumns && has(pair.keyColumns)) {
    const compared = await compare(pair.keyColumns)
    if (compared.isKeyUnique) return { compared, problem }
    await compared.close()
  }
  return { compared: await compare(), problem }
}

async function readFields(open: OpenResult): Promise<Field[]> {
  const { fields, batches } = await readRawRows(await open(), { rowMaxBytes })
  await batches.return(undefined)
  return fields
}

/** The rows of a result, each as JSON on one line. */
async function* rowsOf(open: OpenResult): AsyncGenerator<string> {
  const { fields, batches } = await readRawRows(await open(), { rowMaxBytes })
  for await (const batch of batches) {
    const rows: string[] = []
    let row: string[] = []
    eachValue(batch, {
      value: (json, column) => void row.push(plainJson(json, fields[column]!)),
      rowEnd() {
        rows.push(`[${row.join(',')}]`)
        row = []
      },
    })
    yield* rows
  }
}
