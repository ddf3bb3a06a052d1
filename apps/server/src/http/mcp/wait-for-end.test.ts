import { expect, test } from 'vitest'
import { pollPause } from '../../../testing/poll-pause.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { waitForEnd } from './wait-for-end.ts'

/** Something that has ended after this many polls. */
function subject({ endsAtLook = Infinity } = {}) {
  const clock = manualClock()
  let looks = 0
  let reports = 0
  const options = {
    clock,
    waitMs: 5000,
    signal: new AbortController().signal,
    look: async () => ++looks,
    isEnded: (look: number) => look >= endsAtLook,
    onWaiting: async () => void reports++,
  }
  /** Advances the clock once the function waits. */
  async function advance(ms: number) {
    while (clock.sleepers() === 0) await pollPause()
    await clock.advance(ms)
  }
  return { clock, options, advance, looks: () => looks, reports: () => reports }
}

test('does not wait for something that has ended', async () => {
  const { options, reports } = subject({ endsAtLook: 1 })
  expect(await waitForEnd(options)).toBe(1)
  expect(reports()).toBe(0)
})

test('polls every second until the end, and reports that it is waiting', async () => {
  const { advance, options, reports } = subject({ endsAtLook: 3 })
  const waiting = waitForEnd(options)
  await advance(2000)
  expect(await waiting).toBe(3)
  expect(reports()).toBe(2)
})

test('gives up on time, even between two polls', async () => {
  const { clock, advance, options, looks } = subject()
  const waiting = waitForEnd({ ...options, waitMs: 1500 })
  await advance(1500)
  expect(await waiting).toBe(looks())
  expect(clock.monotonicMs()).toBe(1500)
  expect(clock.sleepers()).toBe(0)
})

test('polls once if there is no time to wait', async () => {
  const { options, reports } = subject()
  expect(await waitForEnd({ ...options, waitMs: 0 })).toBe(1)
  expect(reports()).toBe(0)
})

test('a wake-up causes one immediate poll', async () => {
  const { clock, advance, options, looks } = subject()
  const waiting = waitForEnd({ ...options, waitMs: 1000, woken: () => Promise.resolve() })
  await advance(1000)
  await waiting
  // At the start, when woken, and at the end.
  expect(looks()).toBe(3)
  expect(clock.sleepers()).toBe(0)
})

test('returns the latest state when the signal aborts', async () => {
  const { clock, advance, options } = subject()
  const leaving = new AbortController()
  const woken = (signal: AbortSignal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('gone')))
    })
  const waiting = waitForEnd({ ...options, signal: leaving.signal, woken })
  await advance(0)
  leaving.abort()
  expect(await waiting).toBe(2)
  expect(clock.sleepers()).toBe(0)
})
