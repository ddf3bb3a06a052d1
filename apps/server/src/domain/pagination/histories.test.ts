import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { histories } from '../../../testing/lists/list-commands.ts'
import { emptyTally, play } from '../../../testing/lists/list-history.ts'
import { makeStage, makeWorld, type Stage } from '../../../testing/lists/list-world.ts'
import { perform } from '../../../testing/lists/list-writes.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'

/**
 * Random histories of both lists, compared with an in-memory model: every page of every sequence shows what was committed at the
 * moment of its first page, field by field. `PAGINATION_RUNS=5000` runs more histories; `PAGINATION_SEED` chooses others.
 */
const runs = Number(process.env['PAGINATION_RUNS'] ?? 0)
const seed = Number(process.env['PAGINATION_SEED'] ?? 20260105)
const defaultRuns = { postgres: 40, pglite: 12 }

describe.each(storeKinds)('sequences of pages on %s', (kind) => {
  let stage: Stage

  beforeAll(async () => {
    const store = await openTestStore(kind)
    stage = await makeStage(store, 'shop')
    const other = makeWorld(await makeStage(store, 'other'))
    for (let i = 0; i < 4; i++) {
      await perform(other, { kind: 'add query', by: 0 })
      await perform(other, { kind: 'add reference', by: 0, pick: i, isOptimistic: false })
    }
  })
  afterAll(() => stage.store.close())

  test(
    'show the moment of their first page, whatever happens in between',
    async () => {
      const tally = emptyTally()
      const numRuns = runs || defaultRuns[kind]
      await fc.assert(
        fc.asyncProperty(histories, (commands) => play(stage, commands, tally)),
        // Shrinking a failing history may take long; if it is interrupted, the shortest one so far is shown.
        { seed, numRuns, ...(!runs && { interruptAfterTimeLimit: 150_000, markInterruptAsFailure: true }) },
      )
      if (runs) process.stdout.write(`${kind}: ${JSON.stringify({ seed, histories: numRuns, ...tally })}\n`)
      // Make sure that the histories cover something: pages of the past, transactions that commit late, forgotten versions, queries
      // that expired and were purged, and removed runs.
      expect(tally.pages).toBeGreaterThan(10 * numRuns)
      expect(tally.pagesFromPast).toBeGreaterThan(numRuns)
      expect(tally.pagesAfterPruning).toBeGreaterThan(numRuns / 10)
      expect(tally.queriesExpired).toBeGreaterThan(numRuns / 5)
      // Twelve histories are too few for cases that take several commands in a row.
      expect(tally.queriesPurged + tally.runsRemoved).toBeGreaterThan(kind === 'postgres' ? 0 : -1)
      expect(tally.straddled).toBeGreaterThan(kind === 'postgres' ? numRuns / 2 : -1)
    },
    runs ? 3_600_000 : 240_000,
  )
})
