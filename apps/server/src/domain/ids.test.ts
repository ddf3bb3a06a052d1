import fc from 'fast-check'
import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { firstOrderedId, isId, newId, newOrderedId, timeOfOrderedId } from './ids.ts'

const random = seededRandom('ids')

test('ids have their prefix and 22 unambiguous characters', () => {
  const form = /^evt_[2-9a-hjkmnp-zA-HJ-NP-Z]{22}$/
  for (const id of [newId(random, 'evt'), newOrderedId({ clock: manualClock(), random }, 'evt')]) {
    expect(id).toMatch(form)
    expect(isId(id)).toBe(true)
  }
})

test('ordered ids sort by time, whatever their random part', () => {
  const at = (ms: number) => newOrderedId({ clock: { ...manualClock(), now: () => new Date(ms) }, random }, 'dlv')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8e13 }), fc.integer({ min: 1, max: 1e12 }), (ms, laterMs) => {
      expect(at(ms) < at(ms + laterMs)).toBe(true)
    }),
    { seed: 3, numRuns: 500 },
  )
  expect(at(1)).not.toBe(at(1))
})

test('an ordered id tells when it was made, and comes after the first one of its time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8e13 }), (ms) => {
      const id = newOrderedId({ clock: { ...manualClock(), now: () => new Date(ms) }, random }, 'evt')
      expect(timeOfOrderedId('evt', id)).toBe(ms)
      expect(timeOfOrderedId('evt', firstOrderedId('evt', ms))).toBe(ms)
      expect(firstOrderedId('evt', ms) <= id).toBe(true)
      expect(id < firstOrderedId('evt', ms + 1)).toBe(true)
    }),
    { seed: 5, numRuns: 500 },
  )
})

test.each(['evt_', 'evt_2abc', 'evt_old-1234', 'dlv_22222222', 'other'])('%s tells no time', (id) => {
  expect(timeOfOrderedId('evt', id)).toBeUndefined()
})
