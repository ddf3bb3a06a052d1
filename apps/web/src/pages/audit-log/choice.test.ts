import { expect, test } from 'vitest'
import { filterOf, isFiltered, noChoice, readChoice } from './choice.ts'

const nowMs = Date.parse('2026-01-05T09:00:30.000Z')

test('the address says what is asked for', () => {
  const choice = readChoice(new URLSearchParams('actor=user_1&action=api_key&period=week&search=+req_1+&record=audit_1'))
  expect(choice).toEqual({ actor: 'user_1', action: 'api_key', subject: '', period: 'week', search: 'req_1' })
  expect(filterOf(choice, nowMs)).toEqual({
    actor: 'user_1',
    action: 'api_key',
    search: 'req_1',
    from: '2025-12-29T09:00:00.000Z',
  })
  expect(isFiltered(choice)).toBe(true)
})

test('without filters all is asked for, and an unknown period is none', () => {
  expect(readChoice(new URLSearchParams('period=century'))).toEqual(noChoice)
  expect(filterOf(noChoice, nowMs)).toEqual({})
  expect(isFiltered(noChoice)).toBe(false)
})
