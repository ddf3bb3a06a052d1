import { expect, test } from 'vitest'
import type { TileQuery } from '../../store/boards/read-tile-queries.ts'
import { escapesLock } from './shared-item.ts'

const query = (sql: string, ...names: string[]): Pick<TileQuery, 'parameters' | 'query'> => ({
  parameters: names.map((name) => ({ name, displayName: name, type: 'number', defaultValue: '', description: '' })),
  query: { sql, dialect: 'duckdb', isDatabaseDeleted: false, readsSavedQueries: false },
})
const tile = (parameterMapping?: Record<string, string>) => ({ kind: 'reference' as const, ...(parameterMapping && { parameterMapping }) })

test.each<[string, ReturnType<typeof tile>, ReturnType<typeof query>, boolean]>([
  ['gets its value from the locked parameter', tile({ tenant: 'tenant' }), query('select {{tenant}}', 'tenant'), false],
  ['has no such parameter', tile({ day: 'day' }), query('select {{day}}', 'day'), false],
  ['is not mapped', tile(), query('select {{tenant}}', 'tenant'), true],
  ['gets its value from another parameter', tile({ tenant: 'region' }), query('select {{tenant}}', 'tenant'), true],
  ['has the parameter only in its SQL', tile(), query('select {{tenant}}'), true],
  ['spells it in another case', tile({ Tenant: 'region' }), query('select {{Tenant}}', 'Tenant'), true],
])('a tile whose query %s', (_, shown, of, escapes) => {
  expect(escapesLock(shown, of, ['tenant'])).toBe(escapes)
  expect(escapesLock(shown, of, [])).toBe(false)
})
