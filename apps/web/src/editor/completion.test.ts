import { CompletionContext, type CompletionResult, type CompletionSource } from '@codemirror/autocomplete'
import { schemaCompletionSource, sql } from '@codemirror/lang-sql'
import { syntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import type { Table } from '../api/databases.ts'
import { columnSource, namespaceOf, parameterSource } from './completion.ts'
import { dialects } from './dialects.ts'

const table = (name: string, columns: string[], schema = 'main'): Table => ({
  schema,
  name,
  kind: 'table',
  columns: columns.map((column) => ({ name: column, type: 'VARCHAR', nullable: true })),
  rowEstimate: null,
})
const tables = [table('orders', ['id', 'Ship to']), table('customers', ['email']), table('log', ['line'], 'audit')]
const dialect = dialects.duckdb
const config = { dialect, schema: namespaceOf(tables), defaultSchema: 'main' }

/** What is offered at the bar. */
function offered(source: CompletionSource, text: string): CompletionResult | null {
  return source(new CompletionContext(parsed(text.replace('|', '')), text.indexOf('|'), false)) as CompletionResult | null
}

/** A state spends only moments on reading its text; on a busy machine it may take another one until it has been read. */
function parsed(doc: string): EditorState {
  let state = EditorState.create({ doc, extensions: [sql(config)] })
  while (syntaxTree(state).length < doc.length) state = EditorState.create({ doc, extensions: [sql(config)] })
  return state
}
const labels = (result: CompletionResult | null) => result?.options.map(({ label }) => label)

test('tables, those of other schemas behind theirs, and columns behind a table or its alias', () => {
  const source = schemaCompletionSource(config)
  expect(labels(offered(source, 'select * from o|'))).toEqual(expect.arrayContaining(['orders', 'customers', 'audit']))
  expect(labels(offered(source, 'select * from audit.|'))).toEqual(['log'])
  expect(labels(offered(source, 'select o.| from orders o'))).toEqual(['id', 'Ship to'])
  expect(labels(offered(source, 'select orders.| from orders'))).toEqual(['id', 'Ship to'])
})

test('columns alone are those of the tables that the text names, quoted where they must be', () => {
  const source = columnSource(tables)
  const result = offered(source, 'select i| from orders')
  expect(result?.options.map(({ label, apply, detail }) => ({ label, apply, detail }))).toEqual([
    { label: 'id', apply: 'id', detail: 'varchar · orders' },
    { label: 'Ship to', apply: '"Ship to"', detail: 'varchar · orders' },
  ])
  expect(labels(offered(source, 'select e| from orders join customers using (id)'))).toContain('email')
  expect(offered(source, 'select i| from reorders')).toBeNull()
  expect(offered(source, 'select o.i| from orders o')).toBeNull()
  expect(offered(source, "select 'i| from orders'")).toBeNull()
})

test('parameters after two braces, closed where they are not', () => {
  const source = parameterSource(['row_limit', 'since'])
  expect(offered(source, 'limit {{ro|')?.options[0]).toMatchObject({ label: 'row_limit', apply: 'row_limit}}' })
  expect(offered(source, 'limit {{|}}')?.options[0]).toMatchObject({ apply: 'row_limit' })
  expect(offered(source, 'limit {|')).toBeNull()
})
