import type { EngineDefinition } from '../definition.ts'
import { sqliteEditor } from './sqlite-editor.ts'
import { sqliteSyntax } from './sqlite-syntax.ts'

export const sqlite = {
  kind: 'sqlite',
  name: 'SQLite',
  hint: 'An uploaded file',
  icon: 'feather',
  docs: 'databases/sqlite.md',
  syntax: sqliteSyntax,
  editor: sqliteEditor,
  defaultSchema: { name: 'main' },
  place: { on: 'file', extension: 'sqlite', takesTables: false, uploads: ['.sqlite', '.sqlite3', '.db3'] },
} as const satisfies EngineDefinition
