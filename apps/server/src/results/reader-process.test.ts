import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openResults } from '../process/open-results.ts'
import { type ManualClock, manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { type S3Server, startS3Server } from '../../testing/servers/s3-server.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import type { ResultStore } from './result-store.ts'
import type { ResultsSetting } from './results-setting.ts'
import { noise, resultOf } from '../../testing/results/row-batches.ts'
import type { ReaderAnswer, ReaderOptions, ReaderCommand } from '../../testing/results/reader-process.ts'

const program = fileURLToPath(new URL('../../testing/results/reader-process.ts', import.meta.url))
const limits = { maxRows: 1000, maxMb: 100 }
const minuteMs = 60_000

let store: TestStore
let server: S3Server
let folder: string
beforeAll(async () => {
  store = await openTestStore('postgres')
  server = await startS3Server()
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-readers-'))
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.accessKey)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.accessKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
  await store.close()
  await rm(folder, { recursive: true })
})

function settingOf(kind: ResultsSetting['kind']): ResultsSetting {
  if (kind !== 's3') return { kind }
  return { kind, bucket: server.bucket, endpoint: server.endpoint, region: null, prefix: 'results/' }
}

async function begin(kind: ResultsSetting['kind'], runId: string) {
  const clock = manualClock()
  const setting = settingOf(kind)
  const place = { setting, folder: path.join(folder, 'results'), archiveFolder: path.join(folder, 'archive') }
  const { results } = await openResults({ ...place, store, clock, random: seededRandom(runId), log: silentLog })
  const { hash } = await results.write({ runId, limits, result: resultOf(noise(14)) })
  const options: ReaderOptions = { ...place, url: store.url!, runId }
  const reader = startReader(options)
  expect(await reader.heard()).toBe('opened')
  return { clock, results, reader, hash }
}

function startReader(options: ReaderOptions) {
  const child = fork(program, [JSON.stringify(options)], { execArgv: [] })
  const exit = once(child, 'exit')
  const answers = on(child, 'message', { close: ['exit'] })
  async function heard(): Promise<ReaderAnswer> {
    const { done, value } = (await answers.next()) as IteratorResult<[ReaderAnswer], undefined>
    if (done) throw new Error('the reader has ended')
    return value[0]
  }
  return {
    heard,
    tell(order: ReaderCommand) {
      child.send(order)
      return heard()
    },
    kill: () => child.kill('SIGKILL'),
    exit,
  }
}

const sweep = (results: ResultStore, clock: ManualClock) =>
  results.sweep({ writtenBefore: new Date(clock.now().getTime() - 48 * 60 * minuteMs) })

async function kept(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from results`.execute(store.db)
  return rows[0]!.count + (await server.objects()).length
}

describe.each(['files', 'postgres', 's3'] as const)('results in %s', (kind) => {
  test('a result removed and swept by one process stays readable to the end in another', async () => {
    const { clock, results, reader, hash } = await begin(kind, 'run_slow')
    await results.remove('run_slow')
    // For half an hour the reader keeps renewing its hold.
    for (let minute = 0; minute < 30; minute++) {
      clock.leap(minuteMs)
      expect(await reader.tell({ passMs: minuteMs })).toBe('passed')
      if (minute % 10 === 9) await sweep(results, clock)
    }
    expect(await results.open('run_slow')).toBeUndefined()
    expect(await reader.tell('finish')).toEqual({ hash })
    await reader.exit
    clock.leap(3 * minuteMs)
    await sweep(results, clock)
    expect(await kept()).toBe(0)
  })

  test('a removed result that a killed process had open is soon deleted', async () => {
    const { clock, results, reader } = await begin(kind, 'run_killed')
    expect(await reader.tell({ passMs: minuteMs })).toBe('passed')
    clock.leap(minuteMs)
    reader.kill()
    await reader.exit
    await results.remove('run_killed')
    clock.leap(3 * minuteMs)
    await sweep(results, clock)
    expect(await kept()).toBe(0)
  })
})
