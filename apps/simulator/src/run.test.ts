import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settableClock } from '@querypost/server/testing'
import { openTestStore } from '@querypost/server/testing/suites'
import { makeCoverage } from './coverage.ts'
import { runSeed } from './run.ts'
import { makeSqlPlace, type SqlPlace } from './store/sql-deliveries.ts'

interface Trace {
  lines: number
  digest: string
}

async function run(seed: number, { place, coverage = makeCoverage() }: { place?: SqlPlace; coverage?: ReturnType<typeof makeCoverage> } = {}) {
  const hash = createHash('sha256')
  let lines = 0
  const trace = (line: string) => {
    lines += 1
    hash.update(line)
  }
  const { violation } = await runSeed({ seed, coverage, deliveries: await place?.begin(seed), trace })
  const failure = violation && `seed ${seed}, invariant ${violation.invariant}: ${violation.message}`
  return { failure, trace: { lines, digest: hash.digest('hex') } satisfies Trace }
}

/** A few seeds. `npm run simulate` runs many; README.md has the results. */
async function runWorlds({ to }: { to: number }, place?: SqlPlace) {
  const coverage = makeCoverage()
  const failures: string[] = []
  const traces = new Map<number, Trace>()
  for (let seed = 1; seed <= to; seed++) {
    const { failure, trace } = await run(seed, { ...(place && { place }), coverage })
    if (failure !== undefined) failures.push(failure)
    traces.set(seed, trace)
  }
  return { failures, coverage, traces }
}

describe('with the store in memory', () => {
  let worlds: Awaited<ReturnType<typeof runWorlds>>

  beforeAll(async () => {
    worlds = await runWorlds({ to: 6 })
  })

  test('every world keeps every invariant', () => {
    expect(worlds.failures).toEqual([])
    // Without faults the simulator would prove nothing.
    const some = [
      'fault: stall',
      'fault: store away for a while',
      'delivery: pending → exhausted',
      'run: running → completed',
      'agent run: running → completed',
      'e-mail: due → sent',
    ]
    for (const what of some) expect(worlds.coverage.counts.get(what), what).toBeGreaterThan(0)
  })

  test('a seed always produces the same run', async () => {
    const first = worlds.traces.get(3)!
    expect(first.lines).toBeGreaterThan(100)
    expect((await run(3)).trace).toEqual(first)
  })
})

describe('with several stores', () => {
  test('every world keeps every invariant', async () => {
    const coverage = makeCoverage()
    const failures: string[] = []
    for (let seed = 1; seed <= 6; seed++) {
      const { violation } = await runSeed({ seed, coverage, hasSeveralStores: true })
      if (violation) failures.push(`seed ${seed}, invariant ${violation.invariant}: ${violation.message}`)
    }
    expect(failures).toEqual([])
    for (const what of ['move: ended', 'fault: one store away', 'client: publish', 'client: read']) {
      expect(coverage.counts.get(what), what).toBeGreaterThan(0)
    }
  })
})

describe('with the store in SQL', () => {
  let place: SqlPlace
  let worlds: Awaited<ReturnType<typeof runWorlds>>

  beforeAll(async () => {
    const clock = settableClock()
    place = makeSqlPlace({ ...(await openTestStore('pglite', { clock })), clock })
    worlds = await runWorlds({ to: 1 }, place)
  })

  afterAll(() => place.close())

  test('every world keeps every invariant', () => {
    expect(worlds.failures).toEqual([])
  })

  test('a seed always produces the same run', async () => {
    expect((await run(1, { place })).trace).toEqual(worlds.traces.get(1))
  })
})
