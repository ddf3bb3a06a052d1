import { expect, test } from 'vitest'
import type { TileQuery } from '../../store/boards/read-tile-queries.ts'
import { escapesLock } from './shared-item.ts'

const query = (sql: string, ...names: string[]): Pick<TileQuery, 'parameters' | 'query'> => ({
  parameters: names.map((name) => ({ name, displayName: name, type: 'number', defaultValue: '', description: '' })),
  query: { sql, dialect: 'duckdb', isDatabaseDeleted: false, readsSavedQueries: false, hasRowRules: false },
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

test.each<[string, string, boolean]>([
  ['passes the locked value on', `from ref('abcdefghjk', tenant => {{tenant}})`, false],
  ['passes it on in a list', `from ref('abcdefghjk', tenant => [{{tenant}}])`, false],
  ['leaves it out', `from ref('abcdefghjk') where {{tenant}} = 1`, true],
  ['passes another parameter', `from ref('abcdefghjk', tenant => {{region}}) where {{tenant}} = 1`, true],
  ['passes a constant', `from ref('abcdefghjk', tenant => 7) where {{tenant}} = 1`, true],
  ['passes it inside a text', `from ref('abcdefghjk', tenant => '{{tenant}}')`, true],
  ['reads one that reads another without it', `from ref('bcdefghjkm') where {{tenant}} = 1`, true],
])('a tile whose query reads a saved query with a locked parameter and %s', (_, sql, escapes) => {
  const reading = (text: string, ...names: string[]) => {
    const { parameters, query: inner } = query(text, ...names)
    return { ...base, parameters, query: { ...inner!, readsSavedQueries: true } }
  }
  const base = { referenceId: 'ref_1', shortId: '', title: '', description: null, visualization: null, queryId: '', freshForSeconds: null, analyticalDatabaseConfigId: '' }
  const inputs = new Map([
    ['abcdefghjk', { ...base, ...query('select {{tenant}}', 'tenant') }],
    ['bcdefghjkm', reading(`from ref('abcdefghjk', tenant => 8)`)],
  ])
  const shown = tile({ tenant: 'tenant', region: 'region' })
  expect(escapesLock(shown, reading(sql, 'tenant', 'region'), ['tenant'], inputs)).toBe(escapes)
})
