import { expect, test } from 'vitest'
import type { SingleValue } from '../../model/parameter.ts'
import { checkViewerOptions } from './check-viewer-options.ts'

const definitions = [{ name: 'day', displayName: 'Day', type: 'date' as const, defaultValue: '', description: '' }]
const check = (parameters: { name: string; values: SingleValue[] }[]) =>
  checkViewerOptions(definitions, { parameters, showsSql: false, allowsRefresh: false, downloads: ['png', 'csv', 'png'] })

test('stores allowed values in canonical form and without duplicates', () => {
  expect(check([{ name: 'day', values: [' 2026-01-31', '2026-01-31'] }])).toEqual({
    parameters: [{ name: 'day', values: ['2026-01-31'] }],
    showsSql: false,
    allowsRefresh: false,
    downloads: ['csv', 'png'],
  })
})

test.each<[string, { name: string; values: SingleValue[] }[], string]>([
  ['an unknown parameter', [{ name: 'week', values: [] }], '/parameters/0/name'],
  ['a parameter given twice', [{ name: 'day', values: [] }, { name: 'day', values: [] }], '/parameters/1/name'],
  ['a value of another type', [{ name: 'day', values: ['2026-01-31', 7] }], '/parameters/0/values/1'],
])('rejects %s', (_, parameters, path) => {
  expect(() => check(parameters)).toThrow(expect.objectContaining({ code: 'invalid_request', details: [{ path, message: expect.any(String) }] }))
})
