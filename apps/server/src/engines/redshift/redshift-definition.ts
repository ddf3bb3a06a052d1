import type { EngineDefinition } from '../definition.ts'
import { sslModes } from '../postgres/ssl-modes.ts'
import { redshiftEditor } from './redshift-editor.ts'
import { redshiftSyntax } from './redshift-syntax.ts'

export const redshift = {
  kind: 'redshift',
  name: 'Amazon Redshift',
  hint: 'Beta',
  icon: 'cylinder-with-flash',
  docs: 'databases/redshift.md',
  syntax: redshiftSyntax,
  editor: redshiftEditor,
  defaultSchema: { name: 'public' },
  place: {
    on: 'server',
    port: 5439,
    portWithTls: 5439,
    connectionStrings: {
      schemes: { redshift: null, postgres: null, postgresql: null },
      tlsParameters: { sslmode: sslModes },
      example: 'redshift://user:password@host:5439/database?sslmode=verify-full',
    },
    faults: { '28P01': 'password', '28000': 'password', '3D000': 'database' },
  },
} as const satisfies EngineDefinition
