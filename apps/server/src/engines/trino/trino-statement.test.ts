import { describe, expect, test } from 'vitest'
import { checkStatement } from './trino-statement.ts'

describe('statements', () => {
  test.each([
    'select 1',
    '(select 1)',
    'with t as (select 1) select * from t',
    'values 1, 2',
    'table nation',
    'show tables',
    'describe nation',
    'explain select 1',
    'explain analyze verbose select 1',
    'explain (type validate, format json) select 1',
    '-- insert\nselect \'delete\' as "drop"',
    // The server reports the error in this one.
    'selec 1',
  ])('%s is sent', (sql) => {
    expect(checkStatement(sql)).toBe(sql)
  })

  test('are sent without their semicolon, from the start of the text', () => {
    expect(checkStatement('-- one\nselect 1 ; -- two\n')).toBe('-- one\nselect 1')
  })

  test.each([
    'insert into t values 1',
    'delete from t',
    'create table t as select 1',
    'call system.sync()',
    'execute immediate \'delete from t\'',
    'prepare p from delete from t',
    'set session a = 1',
    'start transaction',
    'commit',
    'explain analyze insert into t values 1',
    'explain (type validate) delete from t',
    'use memory.shop',
    'select 1; select 2',
    '/* nothing */ ;',
    '$$ insert $$',
  ])('%s is refused', (sql) => {
    expect(() => checkStatement(sql)).toThrow(expect.objectContaining({ kind: 'refused' }))
  })
})
