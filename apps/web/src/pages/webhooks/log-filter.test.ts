import { expect, test } from 'vitest'
import { lookAgainMs } from '../../api/deliveries.ts'
import { filterOf, isFiltered, readLogChoice } from './log-filter.ts'
import { addressWith } from './use-search.ts'

const nowMs = Date.parse('2026-01-05T09:00:31.500Z')
const choiceOf = (text: string) => readLogChoice(new URLSearchParams(text))

test('the address says what the log shows', () => {
  const choice = choiceOf('state=held&type=automation.run.failed&period=day&search=%20evt_1%20&tab=log')
  expect(filterOf(choice, nowMs)).toEqual({
    state: 'held',
    eventType: 'automation.run.failed',
    from: '2026-01-04T09:00:00.000Z',
    search: 'evt_1',
  })
  expect(isFiltered(choice)).toBe(true)
})

test('what the address should not say is left out', () => {
  const choice = choiceOf('state=sent&type=nonsense&period=year&search=%20')
  expect(filterOf(choice, nowMs)).toEqual({})
  expect(isFiltered(choice)).toBe(false)
})

test('a value is put into the address beside the others, and an empty one leaves it', () => {
  const values = new URLSearchParams('tab=log&state=held')
  expect(addressWith('/x', values, { delivery: 'dlv_1' })).toBe('/x?tab=log&state=held&delivery=dlv_1')
  expect(addressWith('/x', values, { tab: '', state: '' })).toBe('/x')
})

test('the log is looked at again soon while an attempt is made or due, and never for what has ended', () => {
  const at = (ms: number) => new Date(nowMs + ms).toISOString()
  const ended = { state: 'delivered' as const, isBeingSent: false, nextAttemptAt: null }
  expect(lookAgainMs([ended, { ...ended, state: 'held' }], nowMs)).toBe(false)
  expect(lookAgainMs([ended, { state: 'pending', isBeingSent: true, nextAttemptAt: at(0) }], nowMs)).toBe(700)
  expect(lookAgainMs([{ state: 'pending', isBeingSent: false, nextAttemptAt: at(-5) }], nowMs)).toBe(700)
  expect(lookAgainMs([{ state: 'pending', isBeingSent: false, nextAttemptAt: at(3600_000) }], nowMs)).toBe(14_000)
})
