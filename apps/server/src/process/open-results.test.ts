import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ConfigError } from '../settings/config.ts'
import { openResults } from './open-results.ts'
import { batch, hashOf, readAll, resultOf } from '../../testing/results/row-batches.ts'
import type { ResultsSetting, S3Settings } from '../results/results-setting.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { type S3Server, startS3Server } from '../../testing/servers/s3-server.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'

const limits = { maxRows: 10, maxMb: 1 }
let home: string
let store: TestStore
let server: S3Server
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'querypost-choice-'))
  store = await openTestStore('pglite')
  server = await startS3Server()
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.accessKey)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.accessKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
  await store.close()
  await rm(home, { recursive: true })
})

const clock = manualClock()
async function open(setting: ResultsSetting, folder = path.join(home, 'results')) {
  const archiveFolder = path.join(home, 'archive')
  const random = seededRandom('choice')
  const { results } = await openResults({ setting, folder, archiveFolder, store, clock, random, log: silentLog })
  return results
}
function s3(change: Partial<S3Settings> = {}): ResultsSetting {
  const { bucket, endpoint } = server
  return { kind: 's3', bucket, endpoint, region: null, prefix: 'results/', ...change }
}

test('writes results to the configured store, and reads those of an earlier setting', async () => {
  const settings: ResultsSetting[] = [{ kind: 'postgres' }, { kind: 'files' }, s3()]
  const hashes: string[] = []
  for (const [number, setting] of settings.entries()) {
    const results = await open(setting)
    const { hash } = await results.write({ runId: `run_${number}`, limits, result: resultOf([batch(`[${number}]`)]) })
    hashes.push(hash)
  }
  expect(await readdir(path.join(home, 'results'))).toEqual(['run_1.json.gz'])
  expect(await server.objects()).toEqual(['results/run_2.json.gz'])
  const results = await open(s3())
  for (const [number, hash] of hashes.entries()) {
    expect(hashOf(await readAll(await results.open(`run_${number}`)))).toBe(hash)
  }
  for (const number of hashes.keys()) await results.remove(`run_${number}`)
  clock.leap(3600_000)
  await results.sweep({ writtenBefore: new Date(0) })
  for (const number of hashes.keys()) expect(await (await open(s3())).open(`run_${number}`)).toBeUndefined()
  expect([await readdir(path.join(home, 'results')), await server.objects()]).toEqual([[], []])
})

test('creates no results folder when results are not in files', async () => {
  const folder = path.join(home, 'never')
  await open({ kind: 'postgres' }, folder)
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})

test.each([
  ['does not exist', { bucket: 'not-there' }, /^RESULTS_S3_BUCKET=not-there at RESULTS_S3_ENDPOINT=.*NoSuchBucket/],
  ['cannot be reached', { endpoint: 'http://127.0.0.1:9' }, /RESULTS_S3_ENDPOINT=http:\/\/127.0.0.1:9: .*ECONNREFUSED/],
])('a bucket that %s prevents the start with a clear message', async (_, change, words) => {
  const opening = open(s3(change))
  await expect(opening).rejects.toThrow(ConfigError)
  await expect(opening).rejects.toThrow(words)
})

test.each([
  ['PUT', 'could not write an object'],
  ['GET', 'could not read an object'],
  ['DELETE', 'could not delete an object'],
])('a bucket that forbids %s prevents the start with a clear message', async (method, words) => {
  server.refuse((request) => (request.method === method ? 403 : undefined))
  const opening = open(s3())
  await expect(opening).rejects.toThrow(words)
  await expect(opening).rejects.toThrow('On purpose.')
  server.refuse(() => undefined)
  await open(s3())
})

test('unknown credentials prevent the start and are not revealed', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'NOBODY')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'hush-hush')
  await expect(open(s3())).rejects.toThrow(/^(?!.*hush-hush).*InvalidAccessKeyId/)
})
