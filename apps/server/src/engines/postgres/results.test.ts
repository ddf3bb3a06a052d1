import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorOf, never, readAll } from '../../../testing/engines/engine-conformance.ts'
import type { Engine } from '../engine.ts'
import type { Field } from '../../model/result.ts'
import { startPostgresSubject, type PostgresSubject } from '../../../testing/engines/postgres-subject.ts'

let subject: PostgresSubject
let engine: Engine

beforeAll(async () => {
  subject = await startPostgresSubject([
    `create type mood as enum ('sad', 'it''s "ok"')`,
    'create type place as (x integer, name text)',
    'create domain price as numeric(10, 2)',
    'create domain best_price as price check (value < 100)',
    'create domain flags as integer[]',
    'create schema "Other schema"',
    'create table "Other schema"."A table" (id bigint primary key, "Full name" varchar(20) not null, tags text[], cost best_price)',
    `comment on table "Other schema"."A table" is 'Who buys'`,
    `comment on column "Other schema"."A table"."Full name" is 'As on the invoice'`,
    'create schema hidden',
    'create table hidden.secret (n integer)',
    'create table forbidden (n integer)',
    'create table partly (seen integer, unseen integer)',
    'create table logs (at timestamptz, n integer) partition by range (at)',
    `create table logs_2026 partition of logs for values from ('2026-01-01') to ('2027-01-01')`,
    `insert into logs select '2026-01-05', i from generate_series(1, 500) i`,
    'create table many as select i from generate_series(1, 1000) i',
    'create materialized view stale as select i from many',
    'create view fresh as select i from many',
    'create table fewer (gone integer, stays integer)',
    'alter table fewer drop column gone',
    'create table nothing ()',
    'analyze many',
    'analyze logs',
    'analyze stale',
  ])
  await subject.admin(`grant usage on schema "Other schema" to reader; grant select on all tables in schema "Other schema" to reader;
    revoke select on forbidden, partly from reader; grant select (seen) on partly to reader`)
  engine = subject.open()
})

afterAll(() => subject.release())

describe('types', () => {
  const nan = `'NaN', 'Infinity', '-Infinity'`
  const cases: [expression: string, type: Field['type'], value: unknown][] = [
    ['1::int2', 'integer', 1],
    ['(-2147483648)::int4', 'integer', -2_147_483_648],
    ['4294967295::oid', 'integer', 4_294_967_295],
    ['12.3400::numeric', 'decimal', '12.3400'],
    [`'NaN'::numeric`, 'decimal', 'NaN'],
    [`'-Infinity'::numeric`, 'decimal', '-Infinity'],
    ['1e-20::numeric', 'decimal', '0.00000000000000000001'],
    ['0.1::float4', 'number', 0.1],
    [`'NaN'::float4`, 'number', 'NaN'],
    ['0.1::float8 + 0.2', 'number', 0.30000000000000004],
    ['1e-300::float8', 'number', 1e-300],
    [`array[${nan}]::float8[]`, 'json', ['NaN', 'Infinity', '-Infinity']],
    [`'x'::char(3)`, 'string', 'x  '],
    [`'x'::"char"`, 'string', 'x'],
    [`'x'::name`, 'string', 'x'],
    [`'A0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid`, 'string', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    [`'it''s "ok"'::mood`, 'string', `it's "ok"`],
    [`array['sad', null, 'it''s "ok"']::mood[]`, 'json', ['sad', null, `it's "ok"`]],
    [`'10.0.0.1/8'::inet`, 'string', '10.0.0.1/8'],
    ['true', 'boolean', true],
    ['array[true, false, null]', 'json', [true, false, null]],
    [`date 'infinity'`, 'date', 'infinity'],
    [`date '0044-03-15 BC'`, 'date', '-000043-03-15'],
    [`array[date '2026-01-05', null]`, 'json', ['2026-01-05', null]],
    [`timestamp '-infinity'`, 'timestamp', '-infinity'],
    [`timestamp '0044-03-15 12:00 BC'`, 'timestamp', '-000043-03-15T12:00:00.000Z'],
    [`timestamp '294276-12-31 23:59:59.999999'`, 'timestamp', '+294276-12-31T23:59:59.999999Z'],
    [`timestamptz '2026-07-01 12:00 Europe/Berlin'`, 'timestamp', '2026-07-01T10:00:00.000Z'],
    [`array[timestamptz '2026-01-05 10:00:00.25+01']`, 'json', ['2026-01-05T09:00:00.250Z']],
    [`time '09:00:00.5'`, 'string', '09:00:00.5'],
    [`timetz '09:00+02'`, 'string', '09:00:00+02'],
    [`interval '1 year 2 days 03:04:05.6'`, 'string', '1 year 2 days 03:04:05.6'],
    [`''::bytea`, 'string', ''],
    [`array['\\x00ff'::bytea, null, '\\x']`, 'json', ['AP8=', null, '']],
    [`'{"a": 12345678901234567890, "b": "\\u00e9"}'::json -> 'b'`, 'json', 'é'],
    [`'{"b": 1, "a": [null, "x\\n"]}'::jsonb`, 'json', { a: [null, 'x\n'], b: 1 }],
    [`array['{"a": "b \\" c"}'::jsonb, 'null']`, 'json', [{ a: 'b " c' }, null]],
    ['(1, null, \'a b\')', 'string', '(1,,"a b")'],
    [`row(1, 'x')::place`, 'string', '(1,x)'],
    [`array[row(1, 'a "b"')::place]`, 'json', ['(1,"a ""b""")']],
    ['int4range(1, 5)', 'string', '[1,5)'],
    ['array[int4range(1, 5)]', 'json', ['[1,5)']],
    [`'12.5'::price`, 'decimal', '12.50'],
    [`array['12.5'::best_price, null]`, 'json', ['12.50', null]],
    [`'{1,2}'::flags`, 'json', [1, 2]],
    [`'{"{1,2}","{}"}'::flags[]`, 'json', [[1, 2], []]],
    [`array[box '(1,1),(0,0)', box '(3,3),(2,2)']`, 'json', ['(1,1),(0,0)', '(3,3),(2,2)']],
    [`'[2:3]={7,8}'::int8[]`, 'json', [7, 8]],
    [`'12.50'::money`, 'string', '$12.50'],
    [`b'101'`, 'string', '101'],
    [`xmlparse(content '<a b="c"/>')`, 'string', '<a b="c"/>'],
    [`to_tsvector('simple', 'a b')`, 'string', `'a':1 'b':2`],
    ['null', 'string', null],
    [`null::int8[]`, 'json', null],
    [`'pg_class'::regclass`, 'string', 'pg_class'],
  ]

  test('each has its documented field type and value', async () => {
    // All in one statement, so that reading too far into one value would corrupt the next.
    const { fields, rows } = await readAll(engine, `select ${cases.map(([expression]) => expression).join(',\n')}`)
    for (const [index, [expression, type, value]] of cases.entries()) {
      expect([expression, fields[index]!.type, rows[0]![index]]).toEqual([expression, type, value])
    }
  })

  test('values do not depend on user settings', async () => {
    const { rows } = await readAll(
      engine,
      `select set_config('TimeZone', 'Asia/Kolkata', true), set_config('bytea_output', 'escape', true),
        set_config('extra_float_digits', '-10', true), timestamptz '2026-01-05 09:00:00.5Z', '\\x005c61ff'::bytea`,
    )
    expect(rows[0]!.slice(3)).toEqual(['2026-01-05T09:00:00.500Z', 'AFxh/w=='])
    expect(Buffer.from('AFxh/w==', 'base64').toString('hex')).toBe('005c61ff')
  })

  test('columns may share a name or have none', async () => {
    const { fields, rows } = await readAll(engine, 'select 1 as a, 2 as a, 3')
    expect(fields.map(({ name }) => name)).toEqual(['a', 'a', '?column?'])
    expect(rows).toEqual([[1, 2, 3]])
  })

  test('a thousand columns keep their order', async () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => index)
    expect((await readAll(engine, `select ${numbers.join(', ')}`)).rows).toEqual([numbers])
  })
})

describe('errors', () => {
  test('during execution come after the rows before them', async () => {
    const result = await engine.run({ sql: 'select 1 / (50000 - i) from generate_series(1, 100000) i', signal: never() })
    let rowCount = 0
    const reading = (async () => {
      for await (const batch of result.batches) rowCount += batch.rowCount
    })()
    await expect(reading).rejects.toMatchObject({ kind: 'failed', message: 'division by zero', position: null })
    expect(rowCount).toBeGreaterThan(0)
  })

  test('carry the server’s detail and hint', async () => {
    expect((await errorOf(engine, 'select length(1)')).message).toMatch(/^function length\(integer\) does not exist\n.*Hint: /s)
    expect((await errorOf(engine, 'select * from forbidden')).message).toContain('permission denied')
  })

  test('inside a function have no position in the statement', async () => {
    const error = await errorOf(engine, `select * from query_to_xml('select nope', true, true, '')`)
    expect(error).toMatchObject({ kind: 'failed', position: null })
  })
})

test('describes the tables that the user may read', async () => {
  const tables = await engine.describe(never())
  expect(tables.map(({ schema, name, kind, rowEstimate }) => [schema, name, kind, rowEstimate])).toEqual([
    ['Other schema', 'A table', 'table', null],
    ['public', 'fewer', 'table', null],
    ['public', 'fresh', 'view', null],
    ['public', 'logs', 'table', 500],
    ['public', 'many', 'table', 1000],
    ['public', 'nothing', 'table', null],
    ['public', 'partly', 'table', null],
    ['public', 'stale', 'view', 1000],
  ])
  expect(tables.map(({ comment }) => comment).filter(Boolean)).toEqual(['Who buys'])
  expect(tables[0]!).toMatchObject({ comment: 'Who buys' })
  expect(tables[0]!.columns).toEqual([
    { name: 'id', type: 'bigint', nullable: false, comment: null },
    { name: 'Full name', type: 'character varying(20)', nullable: false, comment: 'As on the invoice' },
    { name: 'tags', type: 'text[]', nullable: true, comment: null },
    { name: 'cost', type: 'best_price', nullable: true, comment: null },
  ])
  expect(tables.find(({ name }) => name === 'fewer')!.columns.map(({ name }) => name)).toEqual(['stays'])
  expect(tables.find(({ name }) => name === 'nothing')!.columns).toEqual([])
})
