import { sql } from 'kysely'
import type { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { makeResultLedger } from '../store/results/result-ledger.ts'
import { insertPieces, resultPieces } from '../store/results/pieces.ts'
import { makeResultPieces } from '../store/results/result-pieces.ts'
import { pollPause } from '../../testing/poll-pause.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { type S3Server, startS3Server } from '../../testing/servers/s3-server.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import { postgresPlaces } from './postgres-place.ts'
import { openS3Objects } from './s3/s3-objects.ts'
import { s3Places } from './s3/s3-place.ts'
import { type BytePlace, openSharedResults, type PlaceName } from './shared-results.ts'
import { batch, hashOf, noise, readAll, resultOf } from '../../testing/results/row-batches.ts'

const limits = { maxRows: 1_000_000, maxMb: 1000 }
const hourMs = 3600_000
const runId = 'run_a'
const placeNames = ['postgres', 's3'] as const

let store: TestStore
let server: S3Server
let places: Record<PlaceName, BytePlace>
beforeAll(async () => {
  store = await openTestStore('postgres')
  server = await startS3Server()
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.accessKey)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.accessKey)
  const { endpoint, bucket } = server
  const objects = await openS3Objects({ endpoint, bucket, region: null, prefix: '' })
  places = { ...postgresPlaces(makeResultPieces(store)), ...s3Places(objects) }
})
afterEach(async () => {
  const left = await kept()
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
  await store.close()
})

/** The result store of one process, with its own clock. */
function openProcess(writeTo: (typeof placeNames)[number], reached: Partial<typeof places> = places) {
  const clock = manualClock()
  const ledger = makeResultLedger(store)
  const results = openSharedResults({ ledger, places: reached, writeTo, clock, log: silentLog })
  const sweep = () => results.sweep({ writtenBefore: new Date(clock.now().getTime() - 48 * hourMs) })
  return { clock, results, sweep }
}

async function kept(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select run_id as id from results union all select distinct 'pieces' from result_pieces`.execute(store.db)
  const uploads = (await server.uploads()).map(() => 'an upload')
  return [...rows.map(({ id }) => id), ...(await server.objects()), ...uploads]
}

async function hasWaitingStatement(): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db)
  return rows.length > 0
}

test.each([
  { place: 'postgres', unfinished: ['run_a', 'pieces'], message: 'violates foreign key' },
  { place: 's3', unfinished: ['run_a', 'an upload'], message: 'No such upload' },
] as const)('$place: removes the leftovers of a dead writer, but not those of a slow one', async (given) => {
  const { place, unfinished, message } = given
  const [writer, sweeper] = [openProcess(place), openProcess(place)]
  const engine = Promise.withResolvers<void>()
  async function* slow() {
    yield* noise(32)
    await engine.promise
    yield* noise(1)
  }
  const writing = writer.results.write({ runId, limits, result: resultOf(slow()) })
  writing.catch(() => {})
  while ((await kept()).length < 2) await pollPause()
  // For three hours the writer is alive and waits for its engine.
  for (let minute = 0; minute < 180; minute++) {
    writer.clock.leap(60_000)
    while (writer.clock.sleepers() === 0) await pollPause()
    sweeper.clock.leap(60_000)
    if (minute % 60 === 59) await sweeper.sweep()
  }
  expect(await kept()).toEqual(unfinished)
  // From now on it no longer renews its hold. For an hour it may still come back.
  sweeper.clock.leap(hourMs)
  await sweeper.sweep()
  expect(await kept()).toEqual(unfinished)
  sweeper.clock.leap(10 * 60_000)
  await sweeper.sweep()
  expect(await kept()).toEqual([])
  // If it comes back later, its result is rejected.
  engine.resolve()
  await expect(writing).rejects.toThrow(message)
  expect(await sweeper.results.open(runId)).toBeUndefined()
})

test('a writer declared dead cannot prevent the removal of its result by writing again', async () => {
  const { ledger, pieces } = { ledger: makeResultLedger(store), pieces: makeResultPieces(store) }
  await ledger.begin({ runId, place: 'postgres', heldUntil: new Date(0) })
  const written = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const writing = store.db.transaction().execute(async (tx) => {
    await insertPieces(tx, resultPieces, { id: runId, offset: 0, bytes: Buffer.from('late') })
    written.resolve()
    await mayCommit.promise
  })
  await written.promise
  await pieces.remove([runId])
  const forgetting = ledger.forget([runId])
  forgetting.catch(() => {})
  while (!(await hasWaitingStatement())) await pollPause()
  mayCommit.resolve()
  await writing
  await forgetting
  await expect(pieces.insert({ id: runId, offset: 0, bytes: Buffer.from('later') })).rejects.toThrow('violates foreign key')
})

test.each(placeNames)('%s: removes a result whose writer died before finishing', async (place) => {
  const { clock, results, sweep } = openProcess(place)
  await results.write({ runId, limits, result: resultOf([batch('[1]')]) })
  clock.leap(48 * hourMs - 1)
  await sweep()
  expect(await results.open(runId)).toBeDefined()
  clock.leap(1)
  await sweep()
})

test('an upload that fails midway leaves neither parts nor a ledger row', async () => {
  const { results } = openProcess('s3')
  server.refuse(({ method, url }) => (method === 'PUT' && url.includes('partNumber=2') ? 403 : undefined))
  const writing = results.write({ runId, limits, result: resultOf(noise(40)) })
  await expect(writing).rejects.toThrow('On purpose.')
  expect(server.requests.filter((request) => request.startsWith('POST'))).not.toEqual([])
  server.refuse(() => undefined)
})

test('a later sweep removes what an earlier one could not', async () => {
  const { clock, results, sweep } = openProcess('s3')
  await results.write({ runId, limits, result: resultOf([batch('[1]')]) })
  await results.remove(runId)
  clock.leap(hourMs)
  server.refuse(({ method }) => (method === 'DELETE' ? 403 : undefined))
  await expect(sweep()).rejects.toThrow('On purpose.')
  expect(await kept()).toEqual(['run_a', 'run_a.json.gz'])
  server.refuse(() => undefined)
  await sweep()
})

test.each(placeNames)('%s: missing bytes are reported as absent or as an error, never silently', async (place) => {
  const { clock, results, sweep } = openProcess(place)
  await results.write({ runId, limits, result: resultOf(noise(14)) })
  const stream = (await results.open(runId))!.bytes as Readable
  // It is large enough to be compressed with zstd.
  await places[`${place}_zstd`].remove([{ id: runId, uploadId: null }])
  await expect(stream.toArray()).rejects.toThrow('is incomplete')
  expect(await results.open(runId)).toBeUndefined()
  await results.remove(runId)
  clock.leap(hourMs)
  await sweep()
})

test('ignores a place that this process cannot reach, while another process reads it', async () => {
  const { postgres, postgres_zstd } = places
  const [with_, without] = [openProcess('s3'), openProcess('postgres', { postgres, postgres_zstd })]
  const { hash } = await with_.results.write({ runId, limits, result: resultOf([batch('[1]')]) })
  expect(await without.results.open(runId)).toBeUndefined()
  without.clock.leap(100 * hourMs)
  await without.sweep()
  expect(hashOf(await readAll(await with_.results.open(runId)))).toBe(hash)
  await without.results.remove(runId)
  with_.clock.leap(hourMs * 100)
  await with_.sweep()
})

test('removes many results in batches limited by count and bytes', async () => {
  const { sweep } = openProcess('postgres')
  const add = (name: string, count: number, sizeBytes: number) => sql`
    insert into results (run_id, place, size_bytes, written_at, removed_at, held_until)
    select 'run_' || ${name} || n, 'postgres', ${sizeBytes}::bigint, '2026-01-01', '2026-01-01', '2026-01-01'
    from generate_series(1, ${count}::integer) as n`.execute(store.db)
  await add('small', 250, 10)
  await sql`insert into result_pieces select run_id, 0, decode('00', 'hex') from results`.execute(store.db)
  expect([await sweep(), await sweep()]).toEqual([
    { removed: 200, hasMore: true },
    { removed: 50, hasMore: false },
  ])
  await add('large', 3, 60 * 1024 * 1024)
  expect([await sweep(), await sweep()]).toEqual([
    { removed: 2, hasMore: true },
    { removed: 1, hasMore: false },
  ])
})

test('rejects a second result for the same run', async () => {
  const { clock, results, sweep } = openProcess('postgres')
  const first = await results.write({ runId, limits, result: resultOf([batch('[1]')]) })
  await expect(results.write({ runId, limits, result: resultOf([batch('[2]')]) })).rejects.toThrow('duplicate key')
  expect(hashOf(await readAll(await results.open(runId)))).toBe(first.hash)
  await results.remove(runId)
  clock.leap(hourMs)
  await sweep()
})
