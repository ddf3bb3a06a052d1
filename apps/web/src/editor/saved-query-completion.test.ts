import { CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import type { Table } from '../api/databases.ts'
import { columnSource, namespaceOf } from './completion.ts'
import { quoteName } from './identifiers.ts'
import { savedQuerySource } from './saved-query-completion.ts'

const column = (name: string) => ({ name, type: 'integer', nullable: true, comment: null })
const saved = (shortId: string, comment: string, columns: string[]): Table => ({
  schema: 'main', name: `ref('${shortId}')`, kind: 'view', columns: columns.map(column), rowEstimate: null, comment,
})
const tables = [saved('k7Qm2xVbNd', 'Monthly revenue', ['month', 'Net total']), saved('abcdefghjk', 'Customers', ['id'])]
const source = savedQuerySource(tables)

function offered(text: string, from: typeof source = source): CompletionResult | null {
  const state = EditorState.create({ doc: text.replace('|', '') })
  return from(new CompletionContext(state, text.indexOf('|'), false))
}
const labels = (result: CompletionResult | null) => result?.options.map(({ label }) => label)

test('completes saved queries by title', () => {
  expect(offered('select * from mon|')?.options[0]).toMatchObject({ label: 'Monthly revenue', detail: `ref('k7Qm2xVbNd')`, apply: `ref('k7Qm2xVbNd')` })
})

test('completes the argument of ref by title or id, in place of the whole call', () => {
  expect(offered(`select * from ref(|)`)).toMatchObject({ from: 14, filter: false })
  expect(labels(offered(`select * from ref(|)`))).toEqual(['Monthly revenue', 'Customers'])
  expect(labels(offered(`select * from ref('rev|')`))).toEqual(['Monthly revenue'])
  expect(labels(offered(`select * from ref('abcd|')`))).toEqual(['Customers'])
})

test('completes columns after an alias, and those of every call in the text', () => {
  const text = (part: string) => `select ${part} from ref('k7Qm2xVbNd', country => 'NL') as r join ref('abcdefghjk') c using (id)`
  expect(offered(text('r.|'))?.options).toMatchObject([{ label: 'month' }, { label: 'Net total', apply: '"Net total"' }])
  expect(labels(offered(text('c.i|')))).toEqual(['id'])
  expect(labels(offered(text('m|'), columnSource(tables)))).toEqual(['month', 'Net total', 'id'])
  expect(offered(text('x.|'))).toBeNull()
})

test('is quiet without saved queries', () => {
  expect(savedQuerySource([])(new CompletionContext(EditorState.create({ doc: 'se' }), 2, false))).toBeNull()
})

test('treats a saved query neither as a name to quote nor as a table of a schema', () => {
  expect(quoteName(`ref('k7Qm2xVbNd')`)).toBe(`ref('k7Qm2xVbNd')`)
  expect(namespaceOf(tables)).toEqual({})
})
