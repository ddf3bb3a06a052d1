import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settableClock } from '@querypost/server/testing'
import { openTestStore } from '@querypost/server/testing/suites'
import { makeCoverage } from './coverage.ts'
import { runSeed } from './run.ts'
import { makeSqlPlace, type SqlPlace } from './store/sql-deliveries.ts'

/** A few seeds. `npm run simulate` runs many; README.md has the results. */
async function failuresOf({ from, to }: { from: number; to: number }, place?: SqlPlace) {
  const coverage = makeCoverage()
  const failures: string[] = []
  for (let seed = from; seed <= to; seed++) {
    const { violation } = await runSeed({ seed, coverage, deliveries: await place?.begin(seed) })
    if (violation) failures.push(`seed ${seed}, invariant ${violation.invariant}: ${violation.message}`)
  }
  return { failures, coverage }
}

async function traceOf(seed: number, place?: SqlPlace) {
  const hash = createHash('sha256')
  let lines = 0
  const trace = (line: string) => {
    lines += 1
    hash.update(line)
  }
  await runSeed({ seed, coverage: makeCoverage(), deliveries: await place?.begin(seed), trace })
  return { lines, digest: hash.digest('hex') }
}

describe('with the store in memory', () => {
  test.each([
    { from: 1, to: 10 },
    { from: 11, to: 20 },
  ])('worlds $from to $to keep every invariant', async (seeds) => {
    const { failures, coverage } = await failuresOf(seeds)
    expect(failures).toEqual([])
    // Without faults the simulator would prove nothing.
    const some = [
      'fault: stall',
      'fault: store away for a while',
      'delivery: pending → exhausted',
      'run: running → completed',
      'agent run: running → completed',
      'e-mail: due → sent',
    ]
    for (const what of some) expect(coverage.counts.get(what), what).toBeGreaterThan(0)
  })

  test('a seed always produces the same run', async () => {
    for (const seed of [3, 17]) {
      const first = await traceOf(seed)
      expect(first.lines).toBeGreaterThan(100)
      expect(await traceOf(seed)).toEqual(first)
    }
  })
})

describe('with the store in SQL', () => {
  let place: SqlPlace

  beforeAll(async () => {
    const clock = settableClock()
    place = makeSqlPlace({ ...(await openTestStore('pglite', { clock })), clock })
  })

  afterAll(() => place.close())

  test.each([
    { from: 1, to: 2 },
    { from: 3, to: 4 },
  ])('worlds $from to $to keep every invariant', async (seeds) => {
    const { failures } = await failuresOf(seeds, place)
    expect(failures).toEqual([])
  })

  test('a seed always produces the same run', async () => {
    expect(await traceOf(2, place)).toEqual(await traceOf(2, place))
  })
})
