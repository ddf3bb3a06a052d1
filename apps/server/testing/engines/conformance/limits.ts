import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { errorOf, never, readAll } from './reading.ts'
import type { Suite } from './subject.ts'

const mebibyte = 1024 * 1024
const maxGrowthBytes = 64 * mebibyte

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void

/** The memory this process holds outside the JavaScript heap, which contains the batches. Past the limit only what is still in use counts. */
function heldBytes(limit = Infinity): number {
  const { arrayBuffers } = process.memoryUsage()
  if (arrayBuffers < limit) return arrayBuffers
  // Nearly all unused buffers are young, and collecting those takes a tenth of the time or less.
  const heldAfterMinor = heldAfterTwo(() => collectGarbage({ type: 'minor' }))
  return heldAfterMinor < limit ? heldAfterMinor : heldAfterTwo(() => collectGarbage())
}

/** V8 frees the memory of buffers in the background, and waits for that when it collects again. */
function heldAfterTwo(collect: () => void): number {
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

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
      if (passedBytes <= 20 * mebibyte) early = Math.max(early, heldBytes())
      else largest = Math.max(largest, heldBytes(early + maxGrowthBytes))
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
