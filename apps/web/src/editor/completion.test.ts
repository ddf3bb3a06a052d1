import { CompletionContext, type CompletionResult, type CompletionSource } from '@codemirror/autocomplete'
import { schemaCompletionSource, sql } from '@codemirror/lang-sql'
import { syntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import type { Table } from '../api/databases.ts'
import { columnSource, namespaceOf, parameterSource } from './completion.ts'
import { editorDialect } from './dialects.ts'

const table = (name: string, columns: string[], schema = 'main'): Table => ({
  schema,
  name,
  kind: 'table',
  columns: columns.map((column) => ({ name: column, type: 'VARCHAR', nullable: true, comment: null })),
  rowEstimate: null,
  comment: null,
})
const tables = [table('orders', ['id', 'Ship to']), table('customers', ['email']), table('log', ['line'], 'audit')]
const dialect = editorDialect('duckdb')
const config = { dialect, schema: namespaceOf(tables), defaultSchema: 'main' }

/** The completions offered at the `|` in the text. */
function offered(source: CompletionSource, text: string): CompletionResult | null {
  return source(new CompletionContext(parsed(text.replace('|', '')), text.indexOf('|'), false)) as CompletionResult | null
}

/** CodeMirror limits the time it spends parsing, so on a busy machine it may take several attempts to parse the whole text. */
function parsed(doc: string): EditorState {
  let state = EditorState.create({ doc, extensions: [sql(config)] })
  while (syntaxTree(state).length < doc.length) state = EditorState.create({ doc, extensions: [sql(config)] })
  return state
}
const labels = (result: CompletionResult | null) => result?.options.map(({ label }) => label)

test('completes tables, tables of other schemas after the schema name, and columns after a table or its alias', () => {
  const source = schemaCompletionSource(config)
  expect(labels(offered(source, 'select * from o|'))).toEqual(expect.arrayContaining(['orders', 'customers', 'audit']))
  expect(labels(offered(source, 'select * from audit.|'))).toEqual(['log'])
  expect(labels(offered(source, 'select o.| from orders o'))).toEqual(['id', 'Ship to'])
  expect(labels(offered(source, 'select orders.| from orders'))).toEqual(['id', 'Ship to'])
})

test('completes columns of the tables named in the text, quoted where needed', () => {
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

test('completes parameters after two braces and adds missing closing braces', () => {
  const source = parameterSource(['row_limit', 'since'])
  expect(offered(source, 'limit {{ro|')?.options[0]).toMatchObject({ label: 'row_limit', apply: 'row_limit}}' })
  expect(offered(source, 'limit {{|}}')?.options[0]).toMatchObject({ apply: 'row_limit' })
  expect(offered(source, 'limit {|')).toBeNull()
})
