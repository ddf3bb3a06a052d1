import type { EngineDefinition } from '../definition.ts'
import { trinoEditor } from './trino-editor.ts'
import { trinoSyntax } from './trino-syntax.ts'

export const trino = {
  kind: 'trino',
  sessionBindings: ['user'],
  name: 'Trino',
  hint: 'Or Starburst',
  icon: 'rabbit',
  docs: 'databases/trino.md',
  syntax: trinoSyntax,
  editor: trinoEditor,
  defaultSchema: { setting: 'schema' },
  place: {
    on: 'server',
    port: 8080,
    portWithTls: 443,
    connectionStrings: {
      schemes: { trino: 'off', https: 'verified' },
      tlsParameters: { ssl: { true: 'verified', false: 'off' } },
      tlsPorts: { 443: 'verified' },
      secondPart: 'schema',
      example: 'trino://user@host:443/catalog/schema?SSL=true',
    },
    database: { label: 'Catalog', hint: 'Its tables are listed. Queries can read other catalogs, too.' },
    password: { label: 'Password or token' },
    options: [
      { name: 'schema', label: 'Schema', hint: 'Tables of this schema need no prefix. Leave blank for none.' },
      {
        name: 'signIn',
        label: 'Sign in with',
        choices: [
          { value: 'password', label: 'User and password' },
          { value: 'token', label: 'JSON web token (JWT)' },
        ],
      },
    ],
    faults: { UNAUTHORIZED: 'password', CATALOG_NOT_FOUND: 'database' },
  },
} as const satisfies EngineDefinition
