import { expect, test } from 'vitest'
import { silentLog } from '../../testing/silent-log.ts'
import { makeStoreClock } from './store-clock.ts'

/** A machine whose clock is ten minutes ahead, and a store whose response time the test controls. */
function start() {
  const storeMs = Date.parse('2026-01-05T09:00:00.000Z')
  let passedMs = 0
  /** Time during which the monotonic clock stood still. */
  let sleptMs = 0
  const state = { answerTakesMs: 10, sleepsMs: 0 }
  const clock = makeStoreClock({
    clock: {
      now: () => new Date(storeMs + passedMs + 600_000),
      machineMs: () => storeMs + passedMs + 600_000,
      monotonicMs: () => passedMs - sleptMs,
      sleep: async () => {},
    },
    async readStoreTime() {
      passedMs += state.answerTakesMs
      const answer = new Date(storeMs + passedMs)
      passedMs += state.sleepsMs
      sleptMs += state.sleepsMs
      return answer
    },
    log: silentLog,
  })
  const offMs = () => clock.now().getTime() - storeMs - passedMs
  const pass = (ms: number) => {
    passedMs += ms
  }
  return { clock, state, offMs, pass }
}

test("uses the first answer however slow, because the machine's clock may be off by more", async () => {
  const { clock, state, offMs } = start()
  state.answerTakesMs = 4_000
  await clock.compare()
  expect(Math.abs(offMs())).toBeLessThanOrEqual(2_000)
})

test('ignores a slow later answer', async () => {
  const { clock, state, offMs } = start()
  await clock.compare()
  const beforeMs = offMs()
  state.answerTakesMs = 40_000
  await clock.compare()
  expect(offMs()).toBe(beforeMs)
})

test('reads the time again if the machine slept while waiting for an answer', async () => {
  const { clock, state, offMs, pass } = start()
  await clock.compare()
  state.sleepsMs = 300_000
  await clock.compare()
  state.sleepsMs = 0
  pass(2_000)
  clock.now()
  await new Promise((resolve) => setImmediate(resolve))
  expect(Math.abs(offMs())).toBeLessThanOrEqual(10)
})
