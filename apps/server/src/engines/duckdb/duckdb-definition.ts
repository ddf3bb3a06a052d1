import type { EngineDefinition } from '../definition.ts'
import { duckdbEditor } from './duckdb-editor.ts'
import { duckdbSyntax } from './duckdb-syntax.ts'

export const duckdb = {
  kind: 'duckdb',
  name: 'DuckDB',
  hint: 'A file stored by Querypost',
  icon: 'bird',
  docs: null,
  syntax: duckdbSyntax,
  editor: duckdbEditor,
  defaultSchema: { name: 'main' },
  place: { on: 'file', extension: 'duckdb', takesTables: true, uploads: ['.duckdb', '.db'] },
} as const satisfies EngineDefinition
