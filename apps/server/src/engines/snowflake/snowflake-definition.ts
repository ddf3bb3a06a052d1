import type { EngineDefinition } from '../definition.ts'
import { snowflakeEditor } from './snowflake-editor.ts'
import { snowflakeSyntax } from './snowflake-syntax.ts'

export const snowflake = {
  kind: 'snowflake',
  name: 'Snowflake',
  hint: 'Beta',
  icon: 'asterisk',
  docs: 'databases/snowflake.md',
  syntax: snowflakeSyntax,
  editor: snowflakeEditor,
  defaultSchema: { setting: 'schema' },
  place: {
    on: 'server',
    port: 80,
    portWithTls: 443,
    connectionStrings: {
      schemes: { snowflake: 'verified' },
      tlsParameters: {},
      secondPart: 'schema',
      parameters: ['warehouse', 'role', 'account'],
      example: 'snowflake://user@host/DATABASE/SCHEMA?warehouse=WAREHOUSE&role=ROLE',
    },
    database: { hint: 'As Snowflake lists it, usually in capitals.' },
    password: { label: 'Private key or token' },
    options: [
      { name: 'warehouse', label: 'Warehouse', hint: 'It runs the queries. Leave blank for the default of the user.' },
      { name: 'schema', label: 'Schema', hint: 'Tables of this schema need no prefix. Leave blank for PUBLIC.' },
      { name: 'role', label: 'Role', hint: 'One that may only read. Leave blank for the default of the user.' },
      {
        name: 'signIn',
        label: 'Sign in with',
        choices: [
          { value: 'keyPair', label: 'Key pair' },
          { value: 'token', label: 'Programmatic access token' },
        ],
      },
      { name: 'account', label: 'Account', hint: 'Leave blank if it is the first part of the host, such as ORGANIZATION-ACCOUNT.' },
    ],
    faults: { UNAUTHORIZED: 'password', KEY_INVALID: 'password', DATABASE_NOT_FOUND: 'database', ACCOUNT_NOT_FOUND: 'host' },
  },
} as const satisfies EngineDefinition
