import { expect, test } from 'vitest'
import { toAuditFilter, isFiltered, noAuditFilters, readAuditFilterParams } from './filter-params.ts'

const nowMs = Date.parse('2026-01-05T09:00:30.000Z')

test('reads the filters from the URL', () => {
  const choice = readAuditFilterParams(new URLSearchParams('actor=user_1&action=api_key&period=week&search=+req_1+&record=audit_1'))
  expect(choice).toEqual({ actor: 'user_1', action: 'api_key', subject: '', period: 'week', search: 'req_1' })
  expect(toAuditFilter(choice, nowMs)).toEqual({
    actor: 'user_1',
    action: 'api_key',
    search: 'req_1',
    from: '2025-12-29T09:00:00.000Z',
  })
  expect(isFiltered(choice)).toBe(true)
})

test('has no filters by default, and ignores an unknown period', () => {
  expect(readAuditFilterParams(new URLSearchParams('period=century'))).toEqual(noAuditFilters)
  expect(toAuditFilter(noAuditFilters, nowMs)).toEqual({})
  expect(isFiltered(noAuditFilters)).toBe(false)
})
