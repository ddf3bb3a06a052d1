import type { EngineResult } from '../engines/engine.ts'
import { checkResultSize, type ResultLimits } from './result-too-large.ts'

/** The result as JSON text, a piece at a time as the engine gives it. Returns the number of rows. */
export async function* encodeResult(result: EngineResult, limits: ResultLimits): AsyncGenerator<Uint8Array, number> {
  let rowCount = 0
  let jsonBytes = 0
  yield Buffer.from(`{"fields":${JSON.stringify(result.fields)},"rows":[`)
  for await (const batch of result.batches) {
    if (batch.rowCount === 0) continue
    if (rowCount > 0) yield comma
    rowCount += batch.rowCount
    jsonBytes += batch.json.length
    checkResultSize({ rowCount, jsonBytes }, limits)
    yield batch.json
  }
  yield Buffer.from(`],"rowCount":${rowCount}}`)
  return rowCount
}

const comma = Buffer.from(',')
