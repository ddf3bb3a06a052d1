import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import { batch, resultOf } from '../../testing/results/row-batches.ts'
import { makeResultLedger } from '../store/results/result-ledger.ts'
import { makeResultPieces } from '../store/results/result-pieces.ts'
import { postgresPlaces } from './postgres-place.ts'
import { storedAtEndBytes } from './result-store.ts'
import { openSharedResults } from './shared-results.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore('postgres')
})
afterAll(() => store.close())

const limits = { maxRows: 1000, maxMb: 10 }
const open = () =>
  openSharedResults({
    ledger: makeResultLedger(store),
    places: postgresPlaces(makeResultPieces(store)),
    writeTo: 'postgres',
    clock: manualClock(),
    log: silentLog,
  })

test('leaves a small result to the caller that stores it with the end of its run', async () => {
  const results = open()
  const stored = await results.write({ runId: 'run_stored', result: resultOf([batch('[1]')]), limits })
  const { unstored, ...written } = await results.write({ runId: 'run_unstored', result: resultOf([batch('[1]')]), limits, storesAtEnd: true })
  expect(written).toEqual(stored)
  expect(unstored).toEqual((await results.open('run_stored'))!.bytes)
  expect(await results.open('run_unstored')).toBeUndefined()
})

test('stores a larger result itself', async () => {
  const results = open()
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64')
  const row = batch(JSON.stringify([random]))
  const written = await results.write({ runId: 'run_larger', result: resultOf([row, row]), limits, storesAtEnd: true })
  expect(written).not.toHaveProperty('unstored')
  expect(written.sizeBytes).toBeGreaterThan(storedAtEndBytes)
  expect((await results.open('run_larger'))!.sizeBytes).toBe(written.sizeBytes)
})
