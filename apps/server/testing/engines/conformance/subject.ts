import type { Engine } from '../../../src/engines/engine.ts'
import type { ErrorPosition } from '../../../src/model/run.ts'
import type { FieldType } from '../../../src/model/result.ts'

/** A database created by the `fixture` statements, and an engine on it. */
export interface ConformanceSubject {
  engine: Engine
  /** The number of engine statements in the server's process list, queried over another connection. */
  statementsRunning?(): Promise<number>
  /** Makes the server close all connections of the engine. */
  dropConnections?(): Promise<void>
  /** Restarts the server on the same port with the same data. */
  restart?(): Promise<void>
  /** Another engine on the same server, with other settings. The caller closes it. */
  openWith?(change: { password?: string; port?: number; database?: string }): Engine
  /** Called once, after `engine.close()`. */
  release(): Promise<void>
}

/** Optional abilities of a subject. Tests that need one run only for engines that declare it. */
export type Ability = 'statementsRunning' | 'dropConnections' | 'restart' | 'openWith'

/** Statements that dialects may have to override; null if the database has no equivalent. */
export interface ConformanceSql {
  fixture: string[]
  /** The expected contents of `items`, with types and values that every database supports. */
  items: { types: FieldType[]; rows: unknown[][] }
  /** Selects 10^digits rows with the numbers from 0, in any order. */
  rows: (digits: number) => string
  /** Never ends and never returns a row. */
  endless: string
  /** Statements that write. Each must be rejected or fail, and change nothing. */
  writes: string[]
  /** More than 120 MB of rows, each with a number and letters, in any order. Fewer and longer rows take less time, but pages of many rows become large. */
  manyRows: { sql: string; count: number }
  /** One row of more than 32 MiB. */
  tooLargeRow: string
  /** Statements with a missing column `nope`, and its position; empty if the database does not report positions. */
  misplaced: { sql: string; position: ErrorPosition }[]
  /** A single quote inside a string. */
  quoteInString: string
  /** More positions of text parameters, in constructs that only some dialects have. */
  textPlaces: TextPlace[]
  /** The value of the timestamp parameter 2026-01-05T09:00:00Z. */
  timestampParameter: string
  /** The bytes of the text column `v` in hexadecimal capitals. */
  hexOfText: string
  types: TypeStatements
}

/** An expression with placeholders, and what it must return for a text. */
export interface TextPlace {
  expression: string
  expected: (text: string) => string
  /** Some texts have no safe form there, so rendering may be refused. */
  mayRefuse?: boolean
}

export const escapeStringPlaces: TextPlace[] = [
  { expression: "E'{{a}}\\n{{a}}'", expected: (text) => `${text}\n${text}`, mayRefuse: true },
  { expression: '$t${{a}}t$ {{a}} $t$', expected: (text) => `${text}t$ ${text} `, mayRefuse: true },
]

export const backslashStringPlaces: TextPlace[] = [
  { expression: "'\\'{{a}}\\\\{{a}}'", expected: (text) => `'${text}\\${text}`, mayRefuse: true },
]

/**
 * Each statement selects one row with the values described. The expected result is the same for all databases (`types.ts`).
 */
export interface TypeStatements {
  /** The largest and smallest signed 64-bit integers, the largest safe integer of JavaScript and the next one. */
  integers: string
  /** 12345678901234567890.1234567890 and -0.05, with ten and two fractional digits. */
  decimals: string | null
  /** 0.1, 1e300 and -0.5 as 64-bit numbers. */
  numbers: string
  /** NaN, Infinity, -Infinity. */
  notNumbers: string | null
  /** 2026-01-05 09:00 UTC, written in a zone one hour east. */
  zonedTimestamp: string | null
  /** The bytes 00 ff 10. */
  bytes: string | null
  /** An array of 1, NULL and 3. */
  array: string | null
  /** An array of the texts `a "b"`, `c\d`, `e,f`, the empty string, and `NULL`. */
  arrayOfTexts: string | null
  /** An array of the decimals 1.50 and 2.25, and one of the integers 1 and 9007199254740993. */
  arraysOfNumbers: string | null
  /** An array of the timestamp 2026-01-05 09:00:00.5. */
  arrayOfTimestamps: string | null
  /** An array of the arrays 1, 2 and 3, 4. */
  nestedArray: string | null
  /** `{"a": [1, null, "x"]}` */
  json: string | null
  /** NULL as an integer, a text, a decimal, a timestamp and a date. */
  nulls: string
}

/** Selects 10^digits rows using only the fixture. */
export function rowsSql(digits: number): string {
  const names = Array.from({ length: digits }, (_, index) => `d${index}`)
  const value = names.map((name, index) => `${10 ** index} * ${name}.n`).join(' + ')
  return `select ${value} as i from ${names.map((name) => `digits ${name}`).join(' cross join ')}`
}

/** The statements as DuckDB and PostgreSQL write them. */
export const conformanceSql: ConformanceSql = {
  fixture: [
    'create table digits (n integer not null)',
    'insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    'create table items (id integer not null, name varchar(100), price decimal(10, 2), sold_at timestamp, sold_on date, in_stock boolean)',
    `insert into items values
      (1, 'plain', 12.50, '2026-01-05 09:00:00', '2026-01-05', true),
      (2, 'it''s "quoted" \u00e9 \u{1f600}', -0.05, '2026-01-05 09:00:00.123456', '1969-12-31', false),
      (3, null, null, null, null, null)`,
    'create view cheap_items as select id, price from items where price < 10',
  ],
  items: {
    types: ['integer', 'string', 'decimal', 'timestamp', 'date', 'boolean'],
    rows: [
      [1, 'plain', '12.50', '2026-01-05T09:00:00.000Z', '2026-01-05', true],
      [2, 'it\'s "quoted" \u00e9 \u{1f600}', '-0.05', '2026-01-05T09:00:00.123456Z', '1969-12-31', false],
      [3, null, null, null, null, null],
    ],
  },
  rows: rowsSql,
  endless: `with recursive endless(i) as (select 1 union all select 1 from endless) select count(*) from endless`,
  writes: [
    'insert into digits values (10)',
    'update digits set n = 10',
    'delete from digits',
    'drop table digits',
    'create table more (n integer)',
  ],
  manyRows: { sql: `select i, repeat('x', 800) from (${rowsSql(6)}) numbers where i < 150000`, count: 150_000 },
  tooLargeRow: `select repeat('x', 40000000)`,
  misplaced: [
    { sql: 'select n,\n  nope\nfrom digits', position: { line: 2, column: 3 } },
    // Columns count UTF-16 code units, of which this character has two.
    { sql: `select '\u{1f600}', nope from digits`, position: { line: 1, column: 14 } },
  ],
  quoteInString: "''",
  textPlaces: escapeStringPlaces,
  timestampParameter: '2026-01-05T09:00:00.000Z',
  hexOfText: 'hex(encode(v))',
  types: {
    integers: `select cast('9223372036854775807' as bigint), cast('-9223372036854775808' as bigint),
      cast('9007199254740991' as bigint), cast('9007199254740992' as bigint)`,
    decimals: `select cast('12345678901234567890.1234567890' as decimal(30, 10)), cast('-0.05' as decimal(4, 2))`,
    numbers: `select cast('0.1' as double precision), cast('1e300' as double precision), cast('-0.5' as double precision)`,
    notNumbers: `select cast('NaN' as double precision), cast('Infinity' as double precision), cast('-Infinity' as double precision)`,
    zonedTimestamp: `select cast('2026-01-05 10:00:00+01:00' as timestamp with time zone)`,
    bytes: `select cast('\\x00ff10' as bytea)`,
    array: `select array[1, null, 3]`,
    arrayOfTexts: `select array['a "b"', 'c\\d', 'e,f', '', 'NULL']`,
    arraysOfNumbers: `select array[cast(1.5 as decimal(10, 2)), cast(2.25 as decimal(10, 2))],
      array[cast(1 as bigint), cast(9007199254740993 as bigint)]`,
    arrayOfTimestamps: `select array[timestamp '2026-01-05 09:00:00.5']`,
    nestedArray: `select array[array[1, 2], array[3, 4]]`,
    json: `select cast('{"a": [1, null, "x"]}' as json)`,
    nulls: `select cast(null as integer), cast(null as varchar), cast(null as decimal(10, 2)), cast(null as timestamp), cast(null as date)`,
  },
}

/** The context of the suite's parts. The subject is available once the tests run. */
export interface Suite {
  sql: ConformanceSql
  subject(): ConformanceSubject
  engine(): Engine
  /** Declares a test, unless the counterpart is known to answer it wrongly. */
  it(name: string, run: () => Promise<void>): void
}
