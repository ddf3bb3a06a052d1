import { expect, test } from 'vitest'
import { definitionsFor, mergeDefinitions, placeholdersIn } from './placeholders.ts'

test('reads placeholders the way the service does', () => {
  const sql = `select '{{in_text}}', {{ n }}, "{{column}}" -- {{in_comment}}
    from orders where day >= {{since}} and n = {{n}} /* {{ nor_here }} */ and x = {{1x}}`
  expect(placeholdersIn(sql, 'duckdb').map(({ name }) => name)).toEqual(['in_text', 'n', 'column', 'since'])
})

test('keeps known definitions and guesses new ones from their names', () => {
  const known = [{ name: 'n', displayName: 'How many', type: 'text' as const, defaultValue: '5', description: '' }]
  const sql = 'select {{n}}, {{start_date}}, {{row_limit}}, {{is_open}}, {{created_at}}, {{country}}, {{period.start}}'
  expect(definitionsFor(placeholdersIn(sql, 'duckdb'), known)).toEqual([
    known[0],
    { name: 'start_date', displayName: 'Start date', type: 'date', defaultValue: '', description: '' },
    { name: 'row_limit', displayName: 'Row limit', type: 'number', defaultValue: '', description: '' },
    { name: 'is_open', displayName: 'Is open', type: 'boolean', defaultValue: '', description: '' },
    { name: 'created_at', displayName: 'Created at', type: 'timestamp', defaultValue: '', description: '' },
    { name: 'country', displayName: 'Country', type: 'text', defaultValue: '', description: '' },
    { name: 'period', displayName: 'Period', type: 'dateRange', defaultValue: '', description: '' },
  ])
})

test('replaces an old definition with the changed one', () => {
  const [a, b] = definitionsFor(placeholdersIn('{{a}} {{b}}', 'duckdb'), [])
  const changed = { ...a!, defaultValue: 'x' }
  expect(mergeDefinitions([a!, b!], [changed])).toEqual([b, changed])
})
