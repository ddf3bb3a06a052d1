/**
 * Compares two files of rows and exits: `node compare-child.ts <request>`. It gets none of the service's environment, and its DuckDB cannot
 * read or write outside its own folder. Errors go to stderr. When the service dies, stdin closes and this process ends.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import duckdb from '@duckdb/node-bindings'
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

// Flush now, because the process may be killed at the end.
flushCompileCache()
const request = JSON.parse(process.argv[2]!) as CompareRequest

process.stdin.resume()
process.stdin.on('close', () => {
  rmSync(request.folder, { recursive: true, force: true })
  process.kill(process.pid, 'SIGKILL')
})

const connection = await duckdb.connect(await duckdb.open(':memory:'))
const run = (statement: string) => duckdb.query(connection, statement)

/** The rows of a query that returns few. */
async function readRows<Row>(query: string): Promise<Row[]> {
  await run(copyTo(request, 'rows', query))
  const lines = readFileSync(`${request.folder}/rows.json`, 'utf8').split('\n')
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

async function compare() {
  const { shared, key: chosen, candidates } = request
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
  if (!request.contributions) await run(copyTo(request, 'changes', orderedChanges))
  const contributions = request.contributions && (await readContributions(request.contributions, { key: keyPairs, run, readRows }))
  const answer = { key, isFound: found !== undefined, isUnique, rowCounts, ...changes, ...(contributions && { contributions }) }
  writeFileSync(`${request.folder}/answer.json`, JSON.stringify(answer))
}

try {
  await compare()
  process.exit(0)
} catch (error) {
  process.stderr.write(String(error), () => process.exit(1))
}
