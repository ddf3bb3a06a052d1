import { expect, test } from 'vitest'
import { silentLog } from '../testing/silent-log.ts'
import { makeStoreClock } from './store-clock.ts'

/** A machine whose clock is ten minutes ahead, and a store whose answers take as long as a test says. */
function start() {
  const storeMs = Date.parse('2026-01-05T09:00:00.000Z')
  let passedMs = 0
  const state = { answerTakesMs: 10 }
  const clock = makeStoreClock({
    clock: {
      now: () => new Date(storeMs + passedMs + 600_000),
      machineMs: () => storeMs + passedMs + 600_000,
      monotonicMs: () => passedMs,
      sleep: async () => {},
    },
    async readStoreTime() {
      passedMs += state.answerTakesMs
      return new Date(storeMs + passedMs)
    },
    log: silentLog,
  })
  const offMs = () => clock.now().getTime() - storeMs - passedMs
  return { clock, state, offMs }
}

test("the first answer counts however slow it was: the machine's clock may be wrong by more", async () => {
  const { clock, state, offMs } = start()
  state.answerTakesMs = 4_000
  await clock.compare()
  expect(Math.abs(offMs())).toBeLessThanOrEqual(2_000)
})

test('a later answer that was slow changes nothing', async () => {
  const { clock, state, offMs } = start()
  await clock.compare()
  const beforeMs = offMs()
  state.answerTakesMs = 40_000
  await clock.compare()
  expect(offMs()).toBe(beforeMs)
})
