import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../testing/engines/engine-conformance.ts'
import { checkStatement } from './snowflake-statement.ts'

describe('a statement', () => {
  test.each([
    'select 1', ' with a as (select 1) select * from a ;', '(select 1) union (select 2)', 'SHOW TABLES', 'describe table t', 'explain using text select 1',
    "select '->> insert; drop' // ; drop table t\n", 'select $$; drop table t$$', 'select insert(a, 1, 2, b) from t', 'select system$typeof(1)',
    "select v:a.b::string, $1 from values (1)",
  ])('that reads is sent: %s', (sql) => {
    expect(checkStatement(sql)).toBe(sql.replace(/ ;$/, '').replace(/ \/\/.*\n$/, ''))
  })

  test.each([
    ['', /no statement/],
    ['select 1; select 2', /Only one statement/],
    ["select '\\'; drop table t --'; drop table t", /Only one statement/],
    ['insert into t values (1)', /INSERT statements/],
    ['explain drop table t', /DROP statements/],
    ['call p()', /CALL statements/],
    ["execute immediate 'drop table t'", /EXECUTE statements/],
    ['with p as procedure () returns int language sql as $$ begin return 1; end $$ call p()', /Procedures/],
    ['select 1 ->> insert into t select * from $1', /->>/],
    ["select system$cancel_all_queries(1)", /SYSTEM\$CANCEL_ALL_QUERIES/],
    ['select 1 /* /* */ ; drop table t */', /comment within a comment/],
    ['select 1 -- \r; drop table t', /carriage return/],
  ])('is refused: %s', async (sql, message) => {
    const error = await failureOf(Promise.resolve().then(() => checkStatement(sql)), sql)
    expect(error).toMatchObject({ kind: 'refused', message: expect.stringMatching(message) as string })
  })

  test('that begins with an unknown word is not sent', async () => {
    const error = await failureOf(Promise.resolve().then(() => checkStatement('-- x\n selec 1')), 'selec')
    expect(error).toMatchObject({ kind: 'failed', position: { line: 2, column: 2 } })
  })
})
