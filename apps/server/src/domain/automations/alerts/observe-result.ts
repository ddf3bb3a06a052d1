import { add, compare, type Decimal, decimalText, readDecimal, readTime } from '@querypost/answers'
import { type AlertMeasure, type AlertObservation, type AlertRows, type AlertTest, alertLimits } from '../../../model/alert.ts'
import type { Field, FieldType } from '../../../model/result.ts'
import { readRows } from '../../../results/read-rows.ts'
import type { StoredResult } from '../../../results/result-store.ts'
import { keyName, measuresOf } from './measure-names.ts'

const numberTypes = new Set<FieldType>(['integer', 'number', 'decimal'])

/** A reader of rows that ends up with something known about them. */
interface Reader {
  read(row: unknown[]): void
  finish(observation: AlertObservation): void
}

export interface ResultToObserve {
  runId: string
  at: Date
  rowCount: number
  open(): Promise<StoredResult>
}

/**
 * Reads what the tests ask about a result, in one pass and a batch of rows at a time. Results are opened only if a test is about more than
 * the number of rows. `previous`: the result before, for tests about new rows.
 */
export async function observeResult(
  result: ResultToObserve,
  tests: readonly AlertTest[],
  previous: (() => Promise<StoredResult>) | null,
): Promise<AlertObservation> {
  const { runId, at, rowCount } = result
  const observation: AlertObservation = { runId, at, rowCount, figures: {}, newestTimes: {}, newRows: {}, faults: {} }
  const measures = measuresOf(tests)
  if (measures.has('rows')) observation.figures['rows'] = String(rowCount)
  if (!tests.some(needsRows)) return observation
  const keys = keysOf(tests)
  const before = previous && keys.size > 0 && rowCount <= alertLimits.keyedRows ? await readKeys(await previous(), keys) : null
  const { fields, batches } = await readRows(await result.open())
  const readers = [
    ...[...measures].flatMap(([name, measure]) => measureReader(name, measure, fields, observation) ?? []),
    ...tests.flatMap((test) => (test.kind === 'stale' ? (timeReader(test.column, fields, observation) ?? []) : [])),
    ...[...keys].flatMap(([name, columns]) => newRowsReader({ name, columns, fields, before: before?.get(name) ?? null }, observation) ?? []),
  ]
  for await (const rows of batches) {
    for (const row of rows) for (const reader of readers) reader.read(row)
  }
  for (const reader of readers) reader.finish(observation)
  return observation
}

const needsRows = (test: AlertTest) => test.kind === 'new_rows' || test.kind === 'stale' || ('column' in test && test.column !== undefined)

const keysOf = (tests: readonly AlertTest[]) =>
  new Map(tests.flatMap((test) => (test.kind === 'new_rows' ? [[keyName(test.keyColumns), test.keyColumns] as const] : [])))

function measureReader(name: string, { column, aggregate = 'first' }: AlertMeasure, fields: Field[], { faults }: AlertObservation): Reader | undefined {
  if (column === undefined) return undefined
  const index = findColumn(column, fields)
  const type = fields[index]?.type
  if (type === undefined) {
    faults[name] = missing(column, fields)
    return undefined
  }
  if (!numberTypes.has(type)) {
    faults[name] = `The column ${JSON.stringify(column)} has values of type ${type}, which are not numbers.`
    return undefined
  }
  let isFirst = true
  let found: Decimal | undefined
  const isBetter = (value: Decimal) => !found || (aggregate === 'min' ? compare(value, found) < 0 : compare(value, found) > 0)
  return {
    read(row) {
      if (aggregate === 'first' && !isFirst) return
      isFirst = false
      const value = readDecimal(row[index])
      if (aggregate === 'first' || aggregate === 'last') found = value
      else if (value && aggregate === 'sum') found = found ? add(found, value) : value
      else if (value && isBetter(value)) found = value
    },
    finish: ({ figures }) => void (figures[name] = found ? decimalText(found) : null),
  }
}

function timeReader(column: string, fields: Field[], { faults }: AlertObservation): Reader | undefined {
  const index = findColumn(column, fields)
  if (index < 0) {
    faults[`newest ${column}`] = missing(column, fields)
    return undefined
  }
  let newest: number | null = null
  return {
    read(row) {
      const value = row[index]
      const ms = typeof value === 'string' ? readTime(value) : undefined
      if (ms !== undefined && (newest === null || ms > newest)) newest = ms
    },
    finish: ({ newestTimes }) => void (newestTimes[column] = newest),
  }
}

function newRowsReader(
  { name, columns, fields, before }: { name: string; columns: string[]; fields: Field[]; before: ReadonlySet<string> | null },
  { faults, rowCount }: AlertObservation,
): Reader | undefined {
  const absent = columns.find((column) => findColumn(column, fields) < 0)
  if (absent !== undefined || rowCount > alertLimits.keyedRows) {
    faults[name] = absent === undefined ? `The result has ${rowCount} rows; new rows are found among at most ${alertLimits.keyedRows}.` : missing(absent, fields)
    return undefined
  }
  const keyOf = keyReader(columns, fields)
  const found: AlertRows = { count: 0, fields, rows: [] }
  return {
    read(row) {
      if (!before || before.has(keyOf(row))) return
      found.count++
      if (found.rows.length < alertLimits.rows) found.rows.push(row)
    },
    finish: ({ newRows }) => void (newRows[name] = before ? found : null),
  }
}

/** The keys of all rows of a result; without those whose columns it does not have. */
async function readKeys(stored: StoredResult, keys: ReadonlyMap<string, string[]>): Promise<Map<string, Set<string>>> {
  const { fields, batches } = await readRows(stored)
  const readable = [...keys].filter(([, columns]) => columns.every((column) => findColumn(column, fields) >= 0))
  const found = readable.map(([name, columns]) => ({ name, keyOf: keyReader(columns, fields), keys: new Set<string>() }))
  for await (const rows of batches) {
    for (const row of rows) for (const one of found) one.keys.add(one.keyOf(row))
  }
  return new Map(found.map(({ name, keys: seen }) => [name, seen]))
}

function keyReader(columns: string[], fields: Field[]): (row: unknown[]) => string {
  const indexes = columns.map((column) => findColumn(column, fields))
  return (row) => JSON.stringify(indexes.map((index) => row[index]))
}

const findColumn = (column: string, fields: Field[]) => fields.findIndex(({ name }) => name === column)

const namedMax = 20

function missing(column: string, fields: Field[]): string {
  const names = fields.slice(0, namedMax).map(({ name }) => JSON.stringify(name))
  if (fields.length > namedMax) names.push(`${fields.length - namedMax} more`)
  return `The result has no column ${JSON.stringify(column)}. It has ${names.join(', ')}.`
}
