import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { resultsConformance } from '../../testing/results/result-store-conformance.ts'
import { openFileResults } from './file-results.ts'

const hourMs = 3600_000

resultsConformance({
  name: 'files',
  async start() {
    const folder = await makeFolder()
    const clock = manualClock()
    return {
      manyBatches: 60,
      largeBatches: 6,
      heldMaxMb: { writing: 6, reading: 6 },
      clock,
      open: () => openFileResults({ folder, clock }),
      kept: () => readdir(folder),
      release: () => rm(folder, { recursive: true }),
    }
  },
})

let folder: string
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => rm(folder, { recursive: true }))

const makeFolder = () => mkdtemp(path.join(tmpdir(), 'querypost-results-'))

async function writeOld(name: string, { hoursAgo, now }: { hoursAgo: number; now: Date }) {
  const then = new Date(now.getTime() - hoursAgo * hourMs)
  await writeFile(path.join(folder, name), 'bytes')
  await utimes(path.join(folder, name), then, then)
}

test('removes unfinished files of dead processes at startup and keeps those of live ones', async () => {
  const clock = manualClock()
  await writeOld('run_old.json.gz.part', { hoursAgo: 25, now: clock.now() })
  await writeOld('run_young.json.gz.part', { hoursAgo: 1, now: clock.now() })
  await openFileResults({ folder, clock })
  expect(await readdir(folder)).toEqual(['run_young.json.gz.part'])
})

test('sweeps many files in several calls', async () => {
  const clock = manualClock()
  const results = await openFileResults({ folder, clock })
  clock.leap(7 * hourMs)
  for (let index = 0; index < 501; index += 1) {
    await writeOld(`run_${index}.json.gz`, { hoursAgo: 49, now: clock.now() })
  }
  const sweepSome = () => results.sweep({ writtenBefore: new Date(clock.now().getTime() - 48 * hourMs) })
  expect(await sweepSome()).toEqual({ removed: 500, hasMore: true })
  expect(await readdir(folder)).toHaveLength(1)
  expect(await sweepSome()).toEqual({ removed: 1, hasMore: false })
  expect(await sweepSome()).toEqual({ removed: 0, hasMore: false })
})

test('sweeps unfinished files and results that can no longer be requested', async () => {
  const clock = manualClock()
  const results = await openFileResults({ folder, clock })
  clock.leap(7 * hourMs)
  await writeOld('run_old.json.gz.part', { hoursAgo: 25, now: clock.now() })
  await writeOld('run_orphan.json.gz', { hoursAgo: 49, now: clock.now() })
  await writeOld('run_alive.json.gz', { hoursAgo: 47, now: clock.now() })
  await results.sweep({ writtenBefore: new Date(clock.now().getTime() - 48 * hourMs) })
  expect(await readdir(folder)).toEqual(['run_alive.json.gz'])
})
