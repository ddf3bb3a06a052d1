import type { EngineDefinition } from '../definition.ts'
import { postgresEditor } from './postgres-editor.ts'
import { postgresSyntax } from './postgres-syntax.ts'
import { sslModes } from './ssl-modes.ts'

export const postgres = {
  kind: 'postgres',
  sessionBindings: ['setting', 'role'],
  name: 'PostgreSQL',
  hint: 'Your own server',
  icon: 'cylinder',
  docs: 'databases/postgres.md',
  syntax: postgresSyntax,
  editor: postgresEditor,
  defaultSchema: { name: 'public' },
  place: {
    on: 'server',
    port: 5432,
    portWithTls: 5432,
    connectionStrings: {
      schemes: { postgres: null, postgresql: null },
      tlsParameters: { sslmode: sslModes },
      example: 'postgres://user:password@host:5432/database?sslmode=verify-full',
    },
    faults: { '28P01': 'password', '3D000': 'database' },
  },
} as const satisfies EngineDefinition
