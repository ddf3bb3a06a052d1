import { expect, test } from 'vitest'
import { pollIntervalMs } from '../../api/deliveries.ts'
import { toLogFilter, isFiltered, readLogFilterParams } from './log-filter.ts'
import { urlWith } from './use-search-params.ts'

const nowMs = Date.parse('2026-01-05T09:00:31.500Z')
const choiceOf = (text: string) => readLogFilterParams(new URLSearchParams(text))

test('reads the filters from the URL', () => {
  const choice = choiceOf('state=held&type=automation.run.failed&period=day&search=%20evt_1%20&tab=log')
  expect(toLogFilter(choice, nowMs)).toEqual({
    state: 'held',
    eventType: 'automation.run.failed',
    from: '2026-01-04T09:00:00.000Z',
    search: 'evt_1',
  })
  expect(isFiltered(choice)).toBe(true)
})

test('ignores unknown filter values in the URL', () => {
  const choice = choiceOf('state=sent&type=nonsense&period=year&search=%20')
  expect(toLogFilter(choice, nowMs)).toEqual({})
  expect(isFiltered(choice)).toBe(false)
})

test('sets a value in the URL next to the others, and removes an empty one', () => {
  const values = new URLSearchParams('tab=log&state=held')
  expect(urlWith('/x', values, { delivery: 'dlv_1' })).toBe('/x?tab=log&state=held&delivery=dlv_1')
  expect(urlWith('/x', values, { tab: '', state: '' })).toBe('/x')
})

test('polls soon while an attempt is running or due, and never for finished deliveries', () => {
  const at = (ms: number) => new Date(nowMs + ms).toISOString()
  const ended = { state: 'delivered' as const, isBeingSent: false, nextAttemptAt: null }
  expect(pollIntervalMs([ended, { ...ended, state: 'held' }], nowMs)).toBe(false)
  expect(pollIntervalMs([ended, { state: 'pending', isBeingSent: true, nextAttemptAt: at(0) }], nowMs)).toBe(700)
  expect(pollIntervalMs([{ state: 'pending', isBeingSent: false, nextAttemptAt: at(-5) }], nowMs)).toBe(700)
  expect(pollIntervalMs([{ state: 'pending', isBeingSent: false, nextAttemptAt: at(3600_000) }], nowMs)).toBe(14_000)
})
