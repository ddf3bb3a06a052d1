/** Compares two files of rows: `node compare-child.ts`. Its DuckDB cannot read or write outside the folder of its job. */
import { readFileSync, writeFileSync } from 'node:fs'
import duckdb, { type Connection } from '@duckdb/node-bindings'
import { doJobs } from '../jobs/do-jobs.ts'
import {
  type CompareRequest,
  copyTo,
  countChanges,
  countDistinct,
  countRows,
  makeChanges,
  orderedChanges,
  selectRows,
  setUp,
  sides,
} from './compare-statements.ts'
import { readContributions, selectValues } from './contributions.ts'
import { findKey } from './find-key.ts'

/** Runs statements and reads the rows of queries that return few. */
function openAccess({ folder }: CompareRequest, connection: Connection) {
  const run = (statement: string) => duckdb.query(connection, statement)

  async function readRows<Row>(query: string): Promise<Row[]> {
    await run(copyTo(folder, 'rows', query))
    const lines = readFileSync(`${folder}/rows.json`, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
  }

  /** The only row of a query, as numbers. */
  async function readNumbers<Name extends string>(query: string): Promise<Record<Name, number>> {
    return (await readRows<Record<Name, number>>(query))[0]!
  }

  async function readCounts(queryOf: (side: (typeof sides)[number]) => string): Promise<number[]> {
    const counts: number[] = []
    for (const side of sides) counts.push((await readNumbers<'count'>(queryOf(side))).count)
    return counts
  }

  return { run, readRows, readNumbers, readCounts }
}

async function compare(request: CompareRequest, connection: Connection): Promise<void> {
  const { folder, shared, key: chosen, candidates } = request
  const { run, readRows, readNumbers, readCounts } = openAccess(request, connection)
  for (const statement of setUp(request)) await run(statement)
  const rowCounts = await readCounts(countRows)
  const pairsOf = (columns: number[]) => columns.map((column) => shared[column]!)
  const distinct = (columns: number[]) => readCounts((side) => countDistinct(side, pairsOf(columns)))
  const found = chosen ?? (await findKey({ candidates, rowCounts, countDistinct: distinct }))
  // Without a key, a row is its own key: rows are only added and removed.
  const key = found ?? [...shared.keys()]
  const isUnique = (await distinct(key)).every((count, side) => count === rowCounts[side])
  const keyPairs = found && pairsOf(found)
  const selected = request.contributions ? selectValues(request.contributions, keyPairs) : selectRows(request)
  for (const statement of makeChanges(request, { key: pairsOf(key), isUnique, selected })) await run(statement)
  const changes = await readNumbers<'added' | 'removed' | 'changed'>(countChanges)
  // The rows are not read when contributions are added up.
  if (!request.contributions) await run(copyTo(folder, 'changes', orderedChanges))
  const contributions = request.contributions && (await readContributions(request.contributions, { key: keyPairs, run, readRows }))
  const answer = { key, isFound: found !== undefined, isUnique, rowCounts, ...changes, ...(contributions && { contributions }) }
  writeFileSync(`${folder}/answer.json`, JSON.stringify(answer))
}

await doJobs(compare)
