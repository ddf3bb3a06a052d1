import type { EngineDefinition } from '../definition.ts'
import { postgresEditor } from './postgres-editor.ts'
import { postgresSyntax } from './postgres-syntax.ts'

export const postgres = {
  kind: 'postgres',
  name: 'PostgreSQL',
  hint: 'Your own server',
  icon: 'cylinder',
  docs: 'databases/postgres.md',
  syntax: postgresSyntax,
  editor: postgresEditor,
  defaultSchema: { name: 'public' },
  place: { on: 'server', port: 5432, portWithTls: 5432, faults: { '28P01': 'password', '3D000': 'database' } },
} as const satisfies EngineDefinition
