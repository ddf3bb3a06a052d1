import { expect, test } from 'vitest'
import type { Field } from './fields.ts'
import { parseJsxConfig } from './parse.ts'
import { prepareRows } from './prepare.ts'
import { suggestChart } from './suggest.ts'

const columns = (text: string): Field[] =>
  text.split(', ').map((part) => {
    const [name, type] = part.split(':')
    return { name: name!, type: type as Field['type'] }
  })

const month = (at: number) => `2025-0${at + 1}-01`
const words = ['short', 'words', 'only']
const titles = ['a rather long product name', 'another one', 'x']

test.each<[string, string, (at: number) => unknown[], string | undefined, string]>([
  ['moments and numbers', 'month:date, revenue:decimal, orders:integer', (at) => [month(at), '1.5', at], 'line', '<Line dataKey="revenue" type="monotone" />'],
  ['a year', 'year:integer, total:integer', (at) => [2020 + at, at], 'line', '<XAxis dataKey="year" />'],
  ['names and a number', 'country:string, customers:integer', (at) => [words[at], at], 'bar', '<XAxis dataKey="country" />'],
  ['long names', 'product:string, revenue:decimal', (at) => [titles[at], '2'], 'bar', '<BarChart layout="vertical">'],
  ['numbers of different kinds', 'country:string, revenue:decimal, orders:integer', (at) => [words[at], '1', at], 'bar', '<Bar dataKey="revenue" />'],
  ['two numbers', 'price:decimal, quantity:integer', (at) => ['1', at], 'scatter', '<YAxis type="number" dataKey="quantity" />'],
  ['several names at one moment', 'day:date, country:string, n:integer', () => ['2025-01-01', 'x', 1], undefined, ''],
  ['no numbers', 'a:string, b:date', (at) => ['x', month(at)], undefined, ''],
  ['ids alone', 'order_id:integer, name:string', (at) => [at, 'x'], undefined, ''],
])('%s', (_, fields, rowAt, type, part) => {
  const rows = [0, 1, 2].map(rowAt)
  const suggested = suggestChart(columns(fields), rows)
  expect(suggested?.type).toBe(type)
  if (!suggested) return
  expect(suggested.jsxConfig).toContain(part)
  const { problems, points } = prepareRows({ fields: columns(fields), rows, element: parseJsxConfig(suggested.jsxConfig) })
  expect(problems).toEqual([])
  expect(points).toHaveLength(3)
})

test('one row is shown as a number, that of the first measure', () => {
  expect(suggestChart(columns('total:decimal'), [['1']])).toMatchObject({ type: 'number', jsxConfig: '' })
  const named = suggestChart(columns('name:string, total:decimal'), [['x', '1']])
  expect(named).toMatchObject({ type: 'number', jsxConfig: '<NumberChart>\n  <Number dataKey="total" />\n</NumberChart>' })
})

test('no rows suggest nothing', () => expect(suggestChart(columns('n:integer'), [])).toBeNull())
