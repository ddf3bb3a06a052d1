/** Runs one statement in a sandbox and answers with frames. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Field } from '../../model/result.ts'
import { encodeJsonFrame, type End, frameKind, rowsHeaderBytes, frameHeaderBytes, writeFrameHeader } from '../duckdb/protocol.ts'
import { rowBatcher, type RowBatcher } from '../row-batches.ts'
import { fieldTypeOf, type SqliteValue, writeValue } from './sqlite-values.ts'

type Row = SqliteValue[]
type Send = (frame: Uint8Array) => void

/** The rows that decide about the types of the fields. */
const sampleRows = 1000
const sampleCharacters = 1_000_000

export function runStatement(options: { database: DatabaseSync; sql: string; send: Send }): void {
  const { database, sql, send } = options
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const rows = statement.iterate() as unknown as Iterator<Row>
  const sample = readSample(rows)
  const fields = fieldsOf(statement, sample)
  send(encodeJsonFrame(frameKind.fields, fields))
  const batcher = rowBatcher()
  const write = (row: Row) => {
    writeRow(batcher, row, fields)
    if (batcher.isFull()) sendRows(batcher, send)
  }
  for (const row of sample) write(row)
  for (let step = rows.next(); !step.done; step = rows.next()) write(step.value)
  if (!batcher.isEmpty()) sendRows(batcher, send)
  const end: End = { statistics: { rowsRead: null, rowsWritten: 0 }, isSpent: false }
  send(encodeJsonFrame(frameKind.end, end))
}

function readSample(rows: Iterator<Row>): Row[] {
  const sample: Row[] = []
  let characters = 0
  while (sample.length < sampleRows && characters < sampleCharacters) {
    const step = rows.next()
    if (step.done) break
    sample.push(step.value)
    for (const value of step.value) if (typeof value === 'string' || value instanceof Uint8Array) characters += value.length
  }
  return sample
}

function fieldsOf(statement: StatementSync, sample: Row[]): Field[] {
  return statement.columns().map(({ name, type }, index) => ({ name, type: fieldTypeOf(type, sample.map((row) => row[index] ?? null)) }))
}

function writeRow(batcher: RowBatcher, row: Row, fields: Field[]): void {
  batcher.begin()
  for (let index = 0; index < fields.length; index++) {
    if (index > 0) batcher.separate()
    writeValue(batcher.out, row[index]!, fields[index]!.type)
  }
  batcher.end()
}

function sendRows(batcher: RowBatcher, send: Send): void {
  const { rowCount, json } = batcher.take()
  const frame = Buffer.allocUnsafe(rowsHeaderBytes + json.length)
  writeFrameHeader(frame, frameKind.rows, rowsHeaderBytes - frameHeaderBytes + json.length)
  frame.writeUInt32LE(rowCount, frameHeaderBytes)
  frame.set(json, rowsHeaderBytes)
  send(frame)
}
