import { expect } from 'vitest'
import { heldBytesBelow } from '../../held-bytes.ts'
import { errorOf, never, readAll } from './reading.ts'
import type { Suite } from './subject.ts'

const mebibyte = 1024 * 1024
const maxGrowthBytes = 64 * mebibyte

export function limitTests({ engine, sql, it }: Suite): void {
  it('streams 120 MB of rows in bounded memory', async () => {
    const result = await engine().run({ sql: sql.manyRows.sql, signal: never() })
    let rowCount = 0
    let passedBytes = 0
    let nextLookBytes = 0
    let early = 0
    let largest = 0
    for await (const batch of result.batches) {
      rowCount += batch.rowCount
      passedBytes += batch.json.length
      // Asking for the memory is slow, so ask only once per MiB.
      if (passedBytes < nextLookBytes) continue
      nextLookBytes = passedBytes + mebibyte
      if (passedBytes <= 20 * mebibyte) early = Math.max(early, process.memoryUsage().arrayBuffers)
      else largest = Math.max(largest, heldBytesBelow(early + maxGrowthBytes))
    }
    expect(rowCount).toBe(sql.manyRows.count)
    expect(passedBytes).toBeGreaterThan(120e6)
    expect(largest - early).toBeLessThan(maxGrowthBytes)
  })

  it('fails with a clear error on a row that is too large, and stays usable', async () => {
    const error = await errorOf(engine(), sql.tooLargeRow)
    expect(error.kind).toBe('failed')
    expect(error.message).toContain('larger than')
    expect((await readAll(engine(), 'select 42')).rows).toEqual([[42]])
  })
}
