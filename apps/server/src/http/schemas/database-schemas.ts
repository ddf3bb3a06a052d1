import { Type } from 'typebox'
import { fileEngines, serverEngines } from '../../engines/registry/definitions.ts'
import {
  columnTypes,
  dateOrders,
  decimalSigns,
  delimiters,
  encodings,
  thousandsSeparators,
} from '../../engines/duckdb/import/csv/csv-reading.ts'
import { fileFormats } from '../../engines/duckdb/import/import-file.ts'
import { tlsModes } from '../../model/server-settings.ts'
import { described, namedEnum, nullable, NullableInteger, NullableText, oneOf, Timestamp } from '../schemas.ts'
import { FirstRows } from './query-schemas.ts'

export const FileEngine = namedEnum('FileEngine', fileEngines)
export const ServerEngine = namedEnum('ServerEngine', serverEngines)
export const FileFormat = namedEnum('FileFormat', fileFormats)

const passed = { ok: Type.Literal(true), durationMs: Type.Number(), version: Type.String() }
const failed = {
  ok: Type.Literal(false),
  message: Type.String(),
  path: Type.Optional(Type.String({ description: 'The setting at fault, such as `/settings/port`, if known.' })),
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
  { title: 'TriedConnection', description: 'Outcome of a connection test with settings that are not stored.' },
)

const ServerPlace = Type.Object({ host: Type.String(), port: Type.Integer() }, { title: 'ServerPlace' })

const ServerSettings = Type.Object(
  {
    ...ServerPlace.properties,
    otherHosts: Type.Array(ServerPlace),
    database: Type.String(),
    user: Type.String(),
    tls: namedEnum('TlsMode', tlsModes),
    certificateAuthority: described(NullableText, 'PEM. Null to use the certificate authorities that the service trusts by default.'),
    options: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Settings that only this engine has. Omitted if it has none.' }),
    ),
  },
  { title: 'ServerSettings', description: 'How to connect to a database server.' },
)

const commonFields = {
  id: Type.String(),
  name: Type.String(),
  createdBy: Type.String(),
  createdAt: Timestamp,
  tableCount: described(NullableInteger, 'Number of tables and views when the schema was last read; null until then.'),
  lastTest: nullable(LastTest),
}
const FileSettings = Type.Object({
  file: Type.String(),
  readsSavedQueries: Type.Optional(
    Type.Literal(true, { description: 'It is the database in which queries read other saved queries with `ref(…)`.' }),
  ),
  ownerId: Type.Optional(Type.String({ description: 'The member whose uploads it holds.' })),
})
const fileFields = { ...commonFields, engine: FileEngine, settings: FileSettings }
const serverFields = {
  ...commonFields,
  engine: ServerEngine,
  settings: ServerSettings,
  hasPassword: Type.Boolean({ description: 'The password itself is never returned.' }),
}
const inFull = {
  savedQueryCount: Type.Integer({
    description: 'Number of saved queries that use it, counted up to 1,000. It cannot be deleted while there are any.',
  }),
}

/** An analytical database configuration. */
export const Database = Type.Union(
  [Type.Object(fileFields, { title: 'FileDatabase' }), Type.Object(serverFields, { title: 'ServerDatabase' })],
  { title: 'Database', description: 'An analytical database that queries run against.' },
)

export const DatabaseInFull = Type.Union(
  [Type.Object({ ...fileFields, ...inFull }), Type.Object({ ...serverFields, ...inFull })],
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
        type: Type.String({ description: 'The type name of the database itself.' }),
        nullable: Type.Boolean(),
        comment: described(NullableText, 'The description of the organization or, without one, the database’s own comment.'),
      },
      { title: 'Column' },
    ),
  ),
  rowEstimate: described(Type.Unsafe<number | null>({ type: ['number', 'null'] }), 'The database’s own estimate; null if it has none.'),
  comment: described(NullableText, 'The description of the organization or, without one, the database’s own comment.'),
}

export const Table = Type.Object(tableFields, { title: 'Table' })

export const ImportedTable = Type.Object({ ...tableFields, rowCount: Type.Integer() }, { title: 'ImportedTable' })

const Encoding = namedEnum('Encoding', encodings)
const Delimiter = oneOf(delimiters)
const DecimalSign = oneOf(decimalSigns)
const ThousandsSeparator = oneOf(thousandsSeparators)
const DateOrder = namedEnum('DateOrder', dateOrders)
const ColumnType = namedEnum('ColumnType', columnTypes)

/** How a CSV file is read, as parameters of a URL: `types` are separated by commas, because there may be many. */
export const CsvReadingQuery = {
  encoding: Type.Optional(Encoding),
  delimiter: Type.Optional(Delimiter),
  hasHeader: Type.Optional(oneOf(['true', 'false'])),
  decimalSign: Type.Optional(DecimalSign),
  thousandsSeparator: Type.Optional(ThousandsSeparator),
  dateOrder: Type.Optional(DateOrder),
  types: Type.Optional(
    Type.String({ pattern: `^(${columnTypes.join('|')})(,(${columnTypes.join('|')}))*$`, maxLength: 10_000 }),
  ),
}

export const FilePreview = Type.Object(
  {
    reading: Type.Object(
      {
        encoding: Encoding,
        delimiter: Delimiter,
        hasHeader: Type.Boolean(),
        decimalSign: DecimalSign,
        thousandsSeparator: ThousandsSeparator,
        dateOrder: DateOrder,
        types: Type.Array(ColumnType),
      },
      { title: 'CsvReading' },
    ),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        misfit: Type.Union([Type.Object({ line: Type.Integer(), value: Type.String() }), Type.Null()], {
          description: 'The first value that does not fit the type of the column, if one was found. In a workbook, `line` is the row of the sheet.',
        }),
      }),
    ),
    rows: Type.Array(Type.Array(Type.String())),
    sheets: Type.Array(Type.String(), { description: 'The sheets of a workbook.' }),
  },
  { title: 'FilePreview' },
)

export const TablePreview = Type.Object(
  {
    ...FirstRows.properties,
    hasMore: Type.Boolean({ description: 'The table has more rows than are shown.' }),
  },
  { title: 'TablePreview' },
)
