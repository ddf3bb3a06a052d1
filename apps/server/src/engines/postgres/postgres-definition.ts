import type { EngineDefinition } from '../definition.ts'
import { postgresEditor } from './postgres-editor.ts'
import { postgresSyntax } from './postgres-syntax.ts'

export const postgres = {
  kind: 'postgres',
  name: 'PostgreSQL',
  hint: 'Or Amazon Redshift',
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
      schemes: { postgres: null, postgresql: null, redshift: null },
      tlsParameters: {
        sslmode: {
          disable: 'off',
          allow: 'encrypted',
          prefer: 'encrypted',
          require: 'encrypted',
          'verify-ca': 'verified',
          'verify-full': 'verified',
        },
      },
      example: 'postgres://user:password@host:5432/database?sslmode=verify-full',
    },
    faults: { '28P01': 'password', '3D000': 'database' },
  },
} as const satisfies EngineDefinition
