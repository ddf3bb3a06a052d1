import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAlive } from '../../../testing/is-alive.ts'
import { conformanceSql, engineConformance, errorOf, failureOf, never, readAll, rowsSql } from '../../../testing/engines/engine-conformance.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { systemClock } from '../../ports/clock.ts'
import type { Engine } from '../engine.ts'
import { openSqliteEngine } from './sqlite-engine.ts'

async function makeSubject(fixture: string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-sqlite-'))
  const file = path.join(folder, 'shop.sqlite')
  const database = new DatabaseSync(file)
  for (const sql of fixture) database.exec(sql)
  database.close()
  const open = () => openSqliteEngine({ file, temporaryDirectory: path.join(folder, 'temporary'), clock: systemClock, log: silentLog })
  return { folder, file, open, release: () => rm(folder, { recursive: true, force: true }) }
}

engineConformance({
  name: 'SQLite',
  sql: {
    items: {
      types: ['integer', 'string', 'number', 'timestamp', 'date', 'boolean'],
      rows: [
        [1, 'plain', 12.5, '2026-01-05T09:00:00.000Z', '2026-01-05', true],
        [2, 'it\'s "quoted" \u00e9 \u{1f600}', -0.05, '2026-01-05T09:00:00.123456Z', '1969-12-31', false],
        [3, null, null, null, null, null],
      ],
    },
    manyRows: { sql: `select i, printf('%.*c', 8000, 'x') from (${rowsSql(5)}) numbers where i < 15000`, count: 15_000 },
    tooLargeRow: `select printf('%.*c', 40000000, 'x')`,
    textPlaces: [{ expression: `"lower"('X') || '{{a}}'`, expected: (text) => `x${text}` }],
    timestampParameter: '2026-01-05 09:00:00',
    hexOfText: 'hex(v)',
    types: {
      // SQLite has integers, floating-point numbers, texts and bytes only.
      decimals: null, notNumbers: null, zonedTimestamp: null, array: null, arrayOfTexts: null, arraysOfNumbers: null,
      arrayOfTimestamps: null, nestedArray: null, json: null,
      bytes: `select x'00ff10'`,
    },
  },
  async open({ fixture }) {
    const { open, release } = await makeSubject(fixture)
    return { engine: open(), release }
  },
})

const parentScript = fileURLToPath(new URL('../../../testing/engines/duckdb-orphan-parent.ts', import.meta.url))

test.each([
  ['a statement computes', conformanceSql.endless, 'computing'],
  ['a result is waiting to be read', rowsSql(9), 'answering'],
])('a killed service leaves no process and no files behind while %s', async (_, sql, state) => {
  const { folder, file, release } = await makeSubject(conformanceSql.fixture)
  const temporary = path.join(folder, 'temporary')
  const parent = spawn(process.execPath, [parentScript, 'sqlite', file, temporary, sql, state], { stdio: ['pipe', 'pipe', 'inherit'] })
  const pid = await new Promise<number>((resolve) => void parent.stdout.once('data', (text) => resolve(Number(text))))
  parent.kill('SIGKILL')
  // If the process survives, the test times out here.
  while (isAlive(pid)) await pollPause()
  expect(await readdir(temporary)).toEqual([])
  await release()
})

describe('a SQLite file', () => {
  let subject: Awaited<ReturnType<typeof makeSubject>>
  let engine: Engine
  beforeAll(async () => {
    subject = await makeSubject([
      'pragma journal_mode = wal',
      'create table mixed (a, b boolean, c decimal(10, 2), d datetime, e json)',
      `insert into mixed values
        (9007199254740993, 1, 12, '2026-01-05T09:00:00Z', '{"n": [1]}'), (1, 0, 0.5, '2026-01-05 09:00:00.5', '[]')`,
      'create table loose (a integer)',
      `insert into loose values (1), ('x'), (x'00ff')`,
      `create view sneaky as select load_extension('/tmp/evil.so') as v`,
    ])
    engine = subject.open()
  })
  afterAll(async () => {
    await engine.close()
    await subject.release()
  })

  test('keeps every digit, and reads values by the declared types of their columns', async () => {
    const { fields, rows } = await readAll(engine, 'select * from mixed')
    expect(fields.map(({ type }) => type)).toEqual(['integer', 'boolean', 'number', 'timestamp', 'json'])
    expect(rows).toEqual([
      ['9007199254740993', true, 12, '2026-01-05T09:00:00.000Z', { n: [1] }],
      [1, false, 0.5, '2026-01-05T09:00:00.500Z', []],
    ])
  })

  test('returns values of several types in one column as texts', async () => {
    const { fields, rows } = await readAll(engine, 'select a, 9e999 as b from loose')
    expect(fields).toEqual([{ name: 'a', type: 'string' }, { name: 'b', type: 'number' }])
    expect(rows).toEqual([['1', 'Infinity'], ['x', 'Infinity'], ['AP8=', 'Infinity']])
  })

  test.each([
    "attach '/etc/passwd' as p",
    "attach ':memory:' as p",
    "vacuum into '/tmp/copy.sqlite'",
    'pragma journal_mode = delete',
    'pragma writable_schema = on',
    'pragma database_list',
    'select * from pragma_database_list',
    "select load_extension('/tmp/evil.so')",
    'select * from sneaky',
    "select writefile('/tmp/x', 'y')",
    "select readfile('/etc/passwd')",
    'with t as (select 1) insert into loose select * from t',
    'with t as (select 1) delete from loose',
    'create temp table t (a)',
    'explain analyze select 1',
    "select fts3_tokenizer('simple')",
    'reindex',
    'select 1; drop table loose',
    'select [a;b] from loose; drop table loose',
    'begin immediate',
  ])('rejects %s', async (sql) => {
    const error = await errorOf(engine, sql)
    expect(['refused', 'failed']).toContain(error.kind)
    expect(error.message).not.toContain(subject.folder)
    expect((await readAll(engine, 'select count(*) from loose')).rows).toEqual([[3]])
    // Nothing was written beside the file.
    expect((await readdir(subject.folder)).toSorted()).toEqual(['shop.sqlite', 'temporary'])
  })

  test.each([
    ['select a,\n  nope from loose', { line: 2, column: 3 }],
    ['selec 1', { line: 1, column: 1 }],
    ['select nope from loose where nope = 1', null],
  ])('reports where the error in %j is', async (sql, position) => {
    expect(await errorOf(engine, sql)).toMatchObject({ kind: 'failed', position })
  })

  test('fails to open something else', async () => {
    const file = path.join(subject.folder, 'other.sqlite')
    await writeFile(file, 'This is no database, but it is long enough to be one. '.repeat(100))
    const other = openSqliteEngine({ file, temporaryDirectory: path.join(subject.folder, 'temporary'), clock: systemClock, log: silentLog })
    const error = await failureOf(other.test(never()), 'a test')
    await other.close()
    await rm(file)
    expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('not a database') as string })
  })
})
