import type { EngineDefinition } from '../definition.ts'
import { clickhouseEditor } from './clickhouse-editor.ts'
import { clickhouseSyntax } from './clickhouse-syntax.ts'

export const clickhouse = {
  kind: 'clickhouse',
  sessionBindings: ['user'],
  name: 'ClickHouse',
  hint: 'Server or cluster',
  icon: 'columns',
  docs: 'databases/clickhouse.md',
  syntax: clickhouseSyntax,
  editor: clickhouseEditor,
  defaultSchema: { setting: 'database' },
  place: {
    on: 'server',
    port: 8123,
    portWithTls: 8443,
    connectionStrings: {
      schemes: { clickhouse: null, http: 'off', https: 'verified' },
      tlsParameters: { secure: { true: 'verified', '1': 'verified', false: 'off', '0': 'off' } },
      tlsPorts: { 8123: 'off', 8443: 'verified', 9000: 'off', 9440: 'verified' },
      // Those of the native protocol.
      otherPorts: ['9000', '9440'],
      example: 'https://user:password@host:8443/database',
    },
    database: { default: 'default' },
    user: { default: 'default' },
  },
} as const satisfies EngineDefinition
