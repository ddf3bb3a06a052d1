import { open, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { failureReason } from '../domain/runs/run-outcome.ts'
import { EngineError } from '../engines/engine.ts'
import type { Log } from '../ports/log.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { openFileResults } from './file-results.ts'
import { isOutOfSpace, NoSpaceForResult, withOutOfSpaceErrors } from './out-of-space.ts'
import type { ResultStore } from './result-store.ts'
import { noise, resultOf } from '../../testing/results/row-batches.ts'

const coded = (message: string, code: string) => Object.assign(new Error(message), { code })
const full = coded('ENOSPC: no space left on device, write', 'ENOSPC')

let folder: string
let logged: unknown[]
const note = (...line: unknown[]) => void logged.push(line)
const log: Log = { debug: note, info: note, warn: note, error: note, fatal: note }

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-full-'))
  logged = []
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

test.each([
  ['a full disk', full],
  ['an exceeded quota', coded('EDQUOT: disk quota exceeded, write', 'EDQUOT')],
  ['PostgreSQL', coded('could not extend file "base/5/16384": No space left on device', '53100')],
  ['MinIO', Object.assign(new Error('Storage backend has reached its minimum free drive threshold.'), { name: 'XMinioStorageFull' })],
  ['a bucket that answers 507', Object.assign(new Error('Insufficient Storage'), { $metadata: { httpStatusCode: 507 } })],
  ['a nested cause', new Error('the write failed', { cause: full })],
])('detects missing space: %s', (_, error) => {
  expect(isOutOfSpace(error)).toBe(true)
})

test.each([coded('EACCES: permission denied', 'EACCES'), coded('deadlock', '40P01'), new Error('ENOSPC'), 'ENOSPC', undefined, null])(
  'ignores other errors: %s',
  (error) => expect(isOutOfSpace(error)).toBe(false),
)

const write = (results: ResultStore) =>
  results.write({ runId: 'run_full', result: resultOf(noise(3)), limits: { maxRows: 1e6, maxMb: 100 } })

test('fails with a reason when the disk is full, logs it, and leaves nothing behind', async () => {
  const files = await openFileResults({ folder, clock: manualClock() })
  const probe = await open(path.join(folder, 'probe'), 'w')
  vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'writeFile').mockRejectedValue(full)
  await probe.close()
  await rm(path.join(folder, 'probe'))
  const error = await write(withOutOfSpaceErrors(files, { log })).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(NoSpaceForResult)
  expect(failureReason(error, undefined)).toMatch(/^There is not enough disk space to store the result\./)
  expect(logged).toEqual([[{ err: full, runId: 'run_full' }, 'result not stored: no space left']])
  expect(await readdir(folder)).toEqual([])
})

test('passes on other errors of the store and the engine', async () => {
  const files = await openFileResults({ folder, clock: manualClock() })
  for (const failure of [new Error('broken'), new EngineError('failed', 'syntax error')]) {
    const failing = { ...files, write: () => Promise.reject(failure) }
    await expect(write(withOutOfSpaceErrors(failing, { log }))).rejects.toBe(failure)
  }
  expect(logged).toEqual([])
  expect((await write(withOutOfSpaceErrors(files, { log }))).rowCount).toBeGreaterThan(0)
})
