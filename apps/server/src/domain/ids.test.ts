import fc from 'fast-check'
import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { isId, newId, newOrderedId } from './ids.ts'

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
