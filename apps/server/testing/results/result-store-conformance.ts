/**
 * The conformance suite for every result store: call `resultsConformance({ name, start })` in a test file.
 */
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { heldBytes, heldBytesBelow } from '../held-bytes.ts'
import { pollPause } from '../poll-pause.ts'
import type { ManualClock } from '../manual-clock.ts'
import { unpacked } from '../../src/results/encodings.ts'
import type { ResultStore, StoredResult } from '../../src/results/result-store.ts'
import { batch, hashOf, noise, readAll, resultOf } from './row-batches.ts'

export interface ResultsSubject {
  /** The number of batches (0.4 MB each, as stored) of a result that is read in at least three ranges. */
  largeBatches: number
  /** The number of batches of a very large result; fewer for a slow place. */
  manyBatches: number
  /** The maximum memory while such a result is written and read. */
  heldMaxMb: { writing: number; reading: number }
  clock: ManualClock
  /** Opens a store on the same place, as another process would. */
  open(): Promise<ResultStore>
  /** Everything that the place stores, complete or not. */
  kept(): Promise<string[]>
  release(): Promise<void>
}

const limits = { maxRows: 1_000_000, maxMb: 1000 }
const minuteMs = 60_000
const fields = [{ name: 'n', type: 'integer' }]

export function resultsConformance({ name, start }: { name: string; start(): Promise<ResultsSubject> }): void {
  describe(`the results in ${name}`, () => {
    let subject: ResultsSubject
    let results: ResultStore
    let other: ResultStore
    beforeAll(async () => {
      subject = await start()
      ;[results, other] = [await subject.open(), await subject.open()]
    })
    afterAll(() => subject.release())

    let count = 0
    let runId: string
    let runIds: string[] = []
    function nextRunId() {
      runId = `run_${++count}`
      runIds.push(runId)
      return runId
    }
    afterEach(async () => {
      // Clean up for the next test, and check that the sweep finds everything.
      for (const id of runIds) await results.remove(id)
      runIds = []
      await sweepLater()
      expect(await subject.kept()).toEqual([])
    })

    /** Advances time and lets everything that waited for it run. */
    async function pass(ms: number) {
      const { clock } = subject
      const waiting = clock.sleepers()
      clock.leap(ms)
      while (clock.sleepers() < waiting) await pollPause()
    }
    const sweep = (store: ResultStore) =>
      store.sweep({ writtenBefore: new Date(subject.clock.now().getTime() - 48 * 60 * minuteMs) })
    async function sweepLater() {
      await pass(10 * minuteMs)
      await sweep(results)
    }
    const write = (batches: Parameters<typeof resultOf>[0], to = results) =>
      to.write({ runId: nextRunId(), limits, result: resultOf(batches) })

    test('reads a result back as the document that the result route sends', async () => {
      const written = await write([batch('[1]', '[2]'), batch(), batch('[null]')])
      const isHash = expect.stringMatching(/^[\w-]{43}$/)
      expect(written).toEqual({ rowCount: 3, sizeBytes: expect.any(Number), hash: isHash })
      const stored = await results.open(runId)
      expect(stored!.sizeBytes).toBe(written.sizeBytes)
      expect(await jsonOf(stored)).toEqual({ fields, rows: [[1], [2], [null]], rowCount: 3 })
      expect(hashOf(await readAll(await results.open(runId)))).toBe(written.hash)
    })

    test('stores a result without rows', async () => {
      await write([])
      expect(await jsonOf(await results.open(runId))).toEqual({ fields, rows: [], rowCount: 0 })
    })

    test('gives equal results equal hashes, and different results different ones', async () => {
      const [one, same, another] = await Promise.all([
        write([batch('[1]', '[2]')]),
        write([batch('[1]', '[2]')]),
        write([batch('[1]', '[3]')]),
      ])
      expect(same.hash).toBe(one.hash)
      expect(another.hash).not.toBe(one.hash)
    })

    test('stores results of any number of pieces', async () => {
      for (const batchCount of [1, 3]) {
        const { hash, sizeBytes } = await write(noise(batchCount))
        const bytes = await readAll(await results.open(runId))
        expect([bytes.length, hashOf(bytes)]).toEqual([sizeBytes, hash])
      }
    })

    test('shows each process what another has written and removed', async () => {
      const { hash } = await write(noise(subject.largeBatches), other)
      expect(hashOf(await readAll(await results.open(runId)))).toBe(hash)
      await results.remove(runId)
      expect(await other.open(runId)).toBeUndefined()
      const small = await write([batch('[1]')], other)
      expect(hashOf(await readAll(await results.open(runId)))).toBe(small.hash)
    })

    test('returns a small result as a buffer and a large one as a stream for each reader', async () => {
      await write([batch('[1]')])
      expect(Buffer.isBuffer((await results.open(runId))!.bytes)).toBe(true)
      const { hash, sizeBytes } = await write(noise(subject.largeBatches))
      const readers = await Promise.all([results.open(runId), results.open(runId), other.open(runId)])
      for (const stored of readers) {
        expect([stored!.bytes instanceof Readable, stored!.sizeBytes]).toEqual([true, sizeBytes])
      }
      const all = await Promise.all(readers.map(readAll))
      expect(all.map(hashOf)).toEqual([hash, hash, hash])
    })

    test('finds nothing for an unknown id, and removing it succeeds', async () => {
      expect(await results.open('run_unknown')).toBeUndefined()
      await results.remove('run_unknown')
      await expect(results.open('../secret')).rejects.toThrow('Invalid run id')
    })

    test('removes a result, even repeatedly', async () => {
      await write([batch('[1]')])
      await results.remove(runId)
      await results.remove(runId)
      await other.remove(runId)
      expect(await results.open(runId)).toBeUndefined()
    })

    test('removes many results at once and keeps others', async () => {
      const written: string[] = []
      for (let index = 0; index < 3; index += 1) {
        await write([batch(`[${index}]`)])
        written.push(runId)
      }
      const [kept, ...removed] = written
      await results.removeAll([...removed, 'run_unknown'])
      for (const id of removed) expect(await other.open(id)).toBeUndefined()
      expect(await results.open(kept!)).toBeDefined()
      await expect(results.removeAll(['../secret'])).rejects.toThrow('Invalid run id')
    })

    test('lets a slow reader finish a result that is removed and swept while it reads', async () => {
      const { hash } = await write(noise(subject.largeBatches))
      const stream = (await results.open(runId))!.bytes as Readable
      const taken: Buffer[] = []
      await other.remove(runId)
      expect(await results.open(runId)).toBeUndefined()
      for await (const piece of stream as AsyncIterable<Buffer>) {
        taken.push(piece)
        // Four minutes per piece, while another process keeps sweeping.
        for (let step = 0; step < 12; step++) {
          await pass(minuteMs / 3)
          if (step % 3 === 0) await sweep(other)
        }
      }
      expect(hashOf(Buffer.concat(taken))).toBe(hash)
      await sweepLater()
      expect(await subject.kept()).toEqual([])
    })

    test('removes a result whose reader went away midway', async () => {
      await write(noise(subject.largeBatches))
      for await (const piece of (await results.open(runId))!.bytes as Readable) {
        expect(piece).toBeDefined()
        break
      }
      const unread = (await results.open(runId))!.bytes as Readable
      unread.destroy()
      // No hold is renewed any more.
      while (subject.clock.sleepers() > 0) await pollPause()
      await results.remove(runId)
      await sweepLater()
      expect(await subject.kept()).toEqual([])
    })

    test.each([
      ['rows', { maxRows: 2, maxMb: 10 }, 'more than 2 rows', 'RESULT_MAX_ROWS'],
      ['bytes', { maxRows: 100, maxMb: 1e-6 }, 'larger than', 'RESULT_MAX_MB'],
    ])('rejects a result over the limit of %s and stops the engine', async (_, tight, message, setting) => {
      let wasStopped = false
      async function* endless() {
        try {
          for (;;) yield batch('[1]', '[2]')
        } finally {
          wasStopped = true
        }
      }
      const writing = results.write({ runId: nextRunId(), limits: tight, result: resultOf(endless()) })
      await expect(writing).rejects.toThrow(message)
      await expect(writing).rejects.toThrow(setting)
      expect(wasStopped).toBe(true)
      expect(await subject.kept()).toEqual([])
    })

    test.each(['no', 'one', 'many'])('leaves nothing behind when the engine fails after %s batches', async (howMany) => {
      const batchCount = { no: 0, one: 1, many: Math.min(subject.manyBatches, 32) }[howMany]!
      async function* failing() {
        yield* noise(batchCount)
        throw new Error('connection lost')
      }
      await expect(write(failing())).rejects.toThrow('connection lost')
      expect(await subject.kept()).toEqual([])
      expect(await results.open(runId)).toBeUndefined()
      // The id can be used again.
      const { hash } = await results.write({ runId, limits, result: resultOf([batch('[1]')]) })
      expect(hashOf(await readAll(await results.open(runId)))).toBe(hash)
    })

    test('writes and reads a large result in bounded memory', async () => {
      const { heldMaxMb } = subject
      const writing = heldMemory(heldMaxMb.writing)
      async function* watched() {
        for (const each of noise(subject.manyBatches)) {
          yield each
          writing.passed(each.json.length)
        }
      }
      const { sizeBytes, hash } = await write(watched())
      expect(sizeBytes).toBeGreaterThan(0.39e6 * subject.manyBatches)
      const reading = heldMemory(heldMaxMb.reading)
      const stored = await results.open(runId)
      let readBytes = 0
      for await (const piece of stored!.bytes as Readable) {
        readBytes += (piece as Buffer).length
        reading.passed((piece as Buffer).length)
      }
      expect([readBytes, hash.length]).toEqual([sizeBytes, 43])
      expect(writing.maxMb()).toBeLessThan(heldMaxMb.writing)
      expect(reading.maxMb()).toBeLessThan(heldMaxMb.reading)
    })
  })
}

async function jsonOf(stored: StoredResult | undefined): Promise<unknown> {
  return JSON.parse(await text(unpacked(stored!)))
}

const sampleEveryBytes = 8e6

/** Measures the growth of buffer memory that is still in use, as exactly as it takes to know whether it stays below `limitMb`. */
function heldMemory(limitMb: number) {
  const before = heldBytes()
  let maxMb = 0
  let passedBytes = 0
  let nextSampleBytes = 0
  return {
    passed(bytes: number) {
      passedBytes += bytes
      // Collecting garbage takes a while, so sample only now and then.
      if (passedBytes < nextSampleBytes) return
      nextSampleBytes = passedBytes + sampleEveryBytes
      maxMb = Math.max(maxMb, (heldBytesBelow(before + limitMb * 1e6) - before) / 1e6)
    },
    maxMb: () => maxMb,
  }
}
