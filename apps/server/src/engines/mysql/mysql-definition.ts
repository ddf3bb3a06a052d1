import type { EngineDefinition } from '../definition.ts'
import { mysqlEditor } from './mysql-editor.ts'
import { mysqlSyntax } from './mysql-syntax.ts'

const tlsModes = {
  disabled: 'off',
  preferred: 'encrypted',
  required: 'encrypted',
  verify_ca: 'verified',
  verify_identity: 'verified',
} as const

export const mysql = {
  kind: 'mysql',
  name: 'MySQL or MariaDB',
  hint: 'Your own server',
  icon: 'fish',
  docs: 'databases/mysql.md',
  syntax: mysqlSyntax,
  editor: mysqlEditor,
  defaultSchema: { setting: 'database' },
  place: {
    on: 'server',
    port: 3306,
    portWithTls: 3306,
    connectionStrings: {
      schemes: { mysql: null, mariadb: null },
      tlsParameters: { 'ssl-mode': tlsModes, sslmode: tlsModes },
      example: 'mysql://user:password@host:3306/database?ssl-mode=VERIFY_IDENTITY',
    },
    faults: {
      ER_ACCESS_DENIED_ERROR: 'password',
      ER_DBACCESS_DENIED_ERROR: 'database',
      ER_BAD_DB_ERROR: 'database',
      HANDSHAKE_NO_SSL_SUPPORT: 'tls',
      HANDSHAKE_SSL_ERROR: 'tls',
    },
  },
} as const satisfies EngineDefinition
