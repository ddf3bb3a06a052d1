import type { EngineResult, RowBatch } from '../model/result.ts'
import { checkResultSize, type ResultLimits } from './result-too-large.ts'

/**
 * The result as JSON text, piece by piece as the engine produces it, and the number of rows so far. A piece may be used until the one
 * after the next is requested: then its memory is given back.
 */
export function encodeResult(
  result: EngineResult,
  options: { limits: ResultLimits; onRows?: ((rowCountSoFar: number) => void) | undefined },
) {
  const size = { rowCount: 0, jsonBytes: 0 }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`{"fields":${JSON.stringify(result.fields)},"rows":[`)
    let before: RowBatch | undefined
    for await (const batch of result.batches) {
      if (batch.rowCount === 0) continue
      if (size.rowCount > 0) yield comma
      before?.release?.()
      before = batch
      size.rowCount += batch.rowCount
      size.jsonBytes += batch.json.length
      checkResultSize(size, options.limits)
      yield batch.json
      options.onRows?.(size.rowCount)
    }
    yield Buffer.from(`],"rowCount":${size.rowCount}}`)
  }
  return { pieces, rowCount: () => size.rowCount }
}

const comma = Buffer.from(',')
