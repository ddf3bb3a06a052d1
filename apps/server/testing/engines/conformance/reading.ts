import { expect } from 'vitest'
import { EngineError, type Engine } from '../../../src/engines/engine.ts'
import type { Field } from '../../../src/model/result.ts'

export const never = () => new AbortController().signal

export interface ReadResult {
  fields: Field[]
  rows: unknown[][]
  rowsRead: number | null
  rowsWritten: number | null
}

/** Runs a statement and reads it to its end, checking that each batch is valid JSON with the stated number of rows. */
export async function readAll(engine: Engine, sql: string, signal = never()): Promise<ReadResult> {
  const result = await engine.run({ sql, signal })
  const rows: unknown[][] = []
  for await (const batch of result.batches) {
    const parsed = JSON.parse(`[${Buffer.from(batch.json).toString()}]`) as unknown[][]
    expect(parsed).toHaveLength(batch.rowCount)
    for (const row of parsed) rows.push(row)
  }
  return { fields: result.fields, rows, ...result.statistics() }
}

/** The error that the work rejects with. */
export async function failureOf(work: Promise<unknown>, what: string): Promise<EngineError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof EngineError)) throw new Error(`Expected an EngineError from: ${what}`, { cause: error })
  return error
}

/** The error a statement ends with, at the start or while its rows are read. */
export const errorOf = (engine: Engine, sql: string, signal = never()): Promise<EngineError> =>
  failureOf(readAll(engine, sql, signal), sql)
