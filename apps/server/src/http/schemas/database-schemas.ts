import { Type } from 'typebox'
import { serverEngines } from '../../model/database.ts'
import { fileFormats } from '../../engines/duckdb/import/import-file.ts'
import { tlsModes } from '../../model/server-settings.ts'
import { described, namedEnum, nullable, NullableInteger, NullableText, oneOf, Timestamp } from '../schemas.ts'
import { FirstRows } from './query-schemas.ts'

export const ServerEngine = namedEnum('ServerEngine', serverEngines)
export const FileFormat = namedEnum('FileFormat', fileFormats)

const passed = { ok: Type.Literal(true), durationMs: Type.Number(), version: Type.String() }
const failed = {
  ok: Type.Literal(false),
  message: Type.String(),
  path: Type.Optional(Type.String({ description: 'The setting at fault, such as `/settings/port`, where that can be told.' })),
}

const LastTest = Type.Union(
  [
    Type.Object({
      ok: passed.ok,
      durationMs: Type.Optional(passed.durationMs),
      version: Type.Optional(passed.version),
      testedAt: Timestamp,
    }),
    Type.Object({ ...failed, testedAt: Timestamp }),
  ],
  { title: 'LastTest', description: 'The last test, or the last run that the database answered since.' },
)

export const TestOutcome = Type.Union([Type.Object(passed), Type.Object(failed)], { title: 'TestOutcome' })

export const TriedConnection = Type.Union(
  [
    Type.Object({ ...passed, tableCount: NullableInteger }),
    Type.Object({ ...failed, tableCount: NullableInteger }),
  ],
  { title: 'TriedConnection', description: 'How settings that are not stored did.' },
)

const ServerPlace = Type.Object({ host: Type.String(), port: Type.Integer() }, { title: 'ServerPlace' })

const ServerSettings = Type.Object(
  {
    ...ServerPlace.properties,
    otherHosts: Type.Array(ServerPlace),
    database: Type.String(),
    user: Type.String(),
    tls: namedEnum('TlsMode', tlsModes),
    certificateAuthority: described(NullableText, 'PEM; null: those that the service trusts anyway.'),
  },
  { title: 'ServerSettings', description: 'How a database server is reached.' },
)

const ofEveryKind = {
  id: Type.String(),
  name: Type.String(),
  createdBy: Type.String(),
  createdAt: Timestamp,
  tableCount: described(NullableInteger, 'Tables and views when it was last described; null until then.'),
  lastTest: nullable(LastTest),
}
const ofDuckdb = { ...ofEveryKind, engine: Type.Literal('duckdb'), settings: Type.Object({ file: Type.String() }) }
const ofServer = {
  ...ofEveryKind,
  engine: ServerEngine,
  settings: ServerSettings,
  hasPassword: Type.Boolean({ description: 'The password itself is in no answer.' }),
}
const inFull = {
  savedQueryCount: Type.Integer({
    description: 'Saved queries that run against it, counted up to 1,000: while there are any, it cannot be deleted.',
  }),
}

/** An analytical database configuration: what queries run against. */
export const Database = Type.Union(
  [Type.Object(ofDuckdb, { title: 'DuckdbDatabase' }), Type.Object(ofServer, { title: 'ServerDatabase' })],
  { title: 'Database', description: 'An analytical database configuration: what queries run against.' },
)

export const DatabaseInFull = Type.Union(
  [Type.Object({ ...ofDuckdb, ...inFull }), Type.Object({ ...ofServer, ...inFull })],
  { title: 'DatabaseInFull' },
)

const tableFields = {
  schema: Type.String(),
  name: Type.String(),
  kind: oneOf(['table', 'view']),
  columns: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        type: Type.String({ description: 'As the database itself names it.' }),
        nullable: Type.Boolean(),
      },
      { title: 'Column' },
    ),
  ),
  rowEstimate: described(Type.Unsafe<number | null>({ type: ['number', 'null'] }), 'The database’s own; null where it has none.'),
}

export const Table = Type.Object(tableFields, { title: 'Table' })

export const ImportedTable = Type.Object({ ...tableFields, rowCount: Type.Integer() }, { title: 'ImportedTable' })

export const TablePreview = Type.Object(
  {
    ...FirstRows.properties,
    hasMore: Type.Boolean({ description: 'The table has more rows than are shown.' }),
  },
  { title: 'TablePreview' },
)
