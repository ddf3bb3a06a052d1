import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasMariadb } from '../../../testing/servers/mariadb-server.ts'
import { readAll } from '../../../testing/engines/engine-conformance.ts'
import type { Engine } from '../engine.ts'
import type { FieldType } from '../../model/result.ts'
import { startWarehouse, type Warehouse } from '../../../testing/engines/mysql-warehouse.ts'

/** A column type, the field type it maps to, and values: as written in SQL and as read. */
type Case = [definition: string, type: FieldType, values: [written: string, read: unknown][]]

const smallest = '-9223372036854775808'
const greatest = '18446744073709551615'
const anExact = '12345678901234567890123456789012345.123456789012345678901234567890'

const numbers: Case[] = [
  ['boolean', 'boolean', [['true', true], ['false', false], ['7', true]]],
  ['tinyint', 'integer', [['-128', -128], ['1', 1]]],
  ['tinyint(1) unsigned', 'integer', [['7', 7]]],
  ['smallint', 'integer', [['-32768', -32_768]]],
  ['mediumint', 'integer', [['-8388608', -8_388_608]]],
  ['int', 'integer', [['-2147483648', -2_147_483_648], ['0', 0]]],
  ['bigint', 'integer', [[smallest, smallest], ['9007199254740991', 9_007_199_254_740_991]]],
  ['bigint unsigned', 'integer', [[greatest, greatest], ['9007199254740992', '9007199254740992']]],
  ['int(6) zerofill', 'integer', [['42', 42], ['0', 0]]],
  ['year', 'integer', [['2026', 2026], ['1901', 1901]]],
  ['decimal(65, 30)', 'decimal', [[anExact, anExact], ['-0.05', `-0.05${'0'.repeat(28)}`]]],
  ['decimal(8, 2) zerofill', 'decimal', [['3.5', '3.50'], ['0', '0.00']]],
  ['float', 'number', [['1.5', 1.5]]],
  ['double', 'number', [['1.7976931348623157e308', Number.MAX_VALUE], ['-1e-7', -1e-7], ['0.1', 0.1]]],
  ['double(8, 2) zerofill', 'number', [['2.5', 2.5], ['0', 0]]],
  ['bit(1)', 'boolean', [["b'1'", true], ["b'0'", false]]],
  ['bit(9)', 'integer', [["b'101010101'", 341], ["b'0'", 0]]],
  ['bit(64)', 'integer', [['~0', greatest], ['1', 1]]],
]

const texts: Case[] = [
  ['char(5)', 'string', [["'ab'", 'ab'], ["''", '']]],
  ['varchar(20) character set latin1', 'string', [["'na\u00efve'", 'na\u00efve']]],
  ['varchar(20) character set greek', 'string', [["'\u03b1\u03b2\u03b3'", '\u03b1\u03b2\u03b3']]],
  ['varchar(20) character set utf16', 'string', [["'\u{1f600}'", '\u{1f600}']]],
  ['longtext', 'string', [[String.raw`'it''s \\ "q"\n'`, 'it\'s \\ "q"\n']]],
  ["enum('a', 'b''c')", 'string', [["'b''c'", "b'c"]]],
  ["set('x', 'y')", 'string', [["'y,x'", 'x,y'], ["''", '']]],
  ['uuid', 'string', [["'123e4567-e89b-12d3-a456-426614174000'", '123e4567-e89b-12d3-a456-426614174000']]],
  ['inet6', 'string', [["'::1'", '::1']]],
  ['binary(3)', 'string', [["'ab'", 'YWIA']]],
  ['varbinary(10)', 'string', [["x'00ff80'", 'AP+A'], ["''", '']]],
  ['longblob', 'string', [["x'0102'", 'AQI=']]],
  ['point', 'string', [['point(1, 2)', 'AAAAAAEBAAAAAAAAAAAA8D8AAAAAAAAAQA==']]],
  ['json', 'json', [[`'{"a": [1, null, "\u00e9"]}'`, { a: [1, null, '\u00e9'] }], ["'\"x\"'", 'x'], ["'null'", null]]],
]

const times: Case[] = [
  ['date', 'date', [["'2026-01-05'", '2026-01-05'], ["'0001-01-01'", '0001-01-01'], ["'2024-02-29'", '2024-02-29']]],
  ['datetime', 'timestamp', [["'2026-01-05 09:00:00'", '2026-01-05T09:00:00.000Z']]],
  [
    'datetime(6)',
    'timestamp',
    [
      ["'2026-01-05 09:00:00.12'", '2026-01-05T09:00:00.120Z'],
      ["'9999-12-31 23:59:59.999999'", '9999-12-31T23:59:59.999999Z'],
    ],
  ],
  ['timestamp(3) null', 'timestamp', [["'2026-01-05 09:00:00.5'", '2026-01-05T09:00:00.500Z']]],
  ['time', 'string', [["'-838:59:59'", '-838:59:59'], ["'00:00:00'", '00:00:00']]],
  ['time(6)', 'string', [["'00:00:01.5'", '00:00:01.500000']]],
]

/** Dates that do not exist. */
const invalidDates = ['0000-00-00', '2026-05-00', '2026-00-00', '2026-02-29', '2026-02-31', '2100-02-29']
const invalidDateCases: Case[] = [
  ['date', 'date', invalidDates.map((day) => [`'${day}'`, null])],
  ['datetime', 'timestamp', [["'0000-00-00 00:00:00'", null], ["'2026-04-31 09:00:00'", null]]],
]

describe.skipIf(!hasMariadb)('values of the MySQL engine, from MariaDB', () => {
  let warehouse: Warehouse
  let engine: Engine

  beforeAll(async () => {
    warehouse = await startWarehouse({ settings: { 'default-time-zone': '+05:00' } })
    await warehouse.setUp(["set time_zone = '+00:00', sql_mode = 'ALLOW_INVALID_DATES'"])
    engine = warehouse.open()
  })

  afterAll(async () => {
    await engine.close()
    await warehouse.stop()
  })

  it.each([...numbers, ...texts, ...times, ...invalidDateCases])('%s is of type %s', async (definition, type, values) => {
    await warehouse.setUp([
      `create or replace table written (id int not null auto_increment primary key, value ${definition})`,
      `insert into written (value) values ${values.map(([literal]) => `(${literal})`).join()}, (null)`,
    ])
    const { fields, rows } = await readAll(engine, 'select value from written order by id')
    expect(fields).toEqual([{ name: 'value', type }])
    expect(rows).toEqual([...values.map(([, read]) => [read]), [null]])
  })

  it('returns an invalid date when it is cast to text', async () => {
    await warehouse.setUp(['create or replace table written (value date)', "insert into written values ('2026-05-00')"])
    const { rows } = await readAll(engine, 'select value, cast(value as char) from written')
    expect(rows).toEqual([[null, '2026-05-00']])
  })

  it('reads JSON built in the statement as JSON, and a boolean expression as a number', async () => {
    const { fields, rows } = await readAll(engine, `select json_extract('{"a": [1]}', '$.a'), 1 = 1, null`)
    expect(fields.map(({ type }) => type)).toEqual(['json', 'integer', 'string'])
    expect(rows).toEqual([[[1], 1, null]])
  })

  it('reads values of every length completely', async () => {
    const lengths = [0, 1, 250, 251, 252, 65_535, 65_536, 70_000, 1_000_000]
    const { rows } = await readAll(engine, `select ${lengths.map((length) => `repeat('x', ${length})`).join()}, 'end'`)
    expect(rows[0]!.map((value) => (value as string).length)).toEqual([...lengths, 3])
  })
})
