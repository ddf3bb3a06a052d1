import type { EngineDefinition } from '../definition.ts'
import { clickhouseEditor } from './clickhouse-editor.ts'
import { clickhouseSyntax } from './clickhouse-syntax.ts'

export const clickhouse = {
  kind: 'clickhouse',
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
    database: { default: 'default' },
    user: { default: 'default' },
  },
} as const satisfies EngineDefinition
