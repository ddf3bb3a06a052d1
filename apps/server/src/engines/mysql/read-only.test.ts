import { describe, expect, test } from 'vitest'
import { EngineError } from '../engine.ts'
import { isReadStatement } from './read-only.ts'

const verdict = (sql: string): boolean | string => {
  try {
    return isReadStatement(sql)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return error.kind
  }
}

describe('a statement', () => {
  test.each([
    'select 1',
    '  SELECT 1 ;  -- done\n',
    '/* why */ select 1',
    '(select 1) union (select 2)',
    'with a as (select 1) select * from a',
    'values (1), (2)',
    'table t',
    'show tables',
    'describe t',
    'desc t',
    'explain select 1',
    "select 'into', `into`, \"for update\" from `lock` -- into\n",
    'select substring(a from 1 for 2) from t',
    "select replace(a, 'x', 'y'), insert(a, 1, 1, 'z') from t",
    'select get_lock',
  ])('%s reads', (sql) => {
    expect(verdict(sql)).toBe(true)
  })

  test.each([
    '',
    '-- nothing\n',
    'selec 1',
    'insert into t values (1)',
    'update t set a = 1',
    'delete from t',
    'replace t values (1)',
    'truncate t',
    'drop table t',
    'call p()',
    'do sleep(1)',
    'handler t open',
    'lock tables t write',
    'set @a = 1',
    'load data infile "x" into table t',
    'prepare p from "select 1"',
    'execute p',
    'begin',
    'use mysql',
    'kill 1',
    'shutdown',
    'analyze table t',
    '`select` 1',
    '@a := 1',
    '1 select',
  ])('%s does not read and is never executed', (sql) => {
    expect(verdict(sql)).toBe(false)
  })

  test.each([
    'select 1; select 2',
    'select 1 into @a',
    "select 1 into outfile '/tmp/x'",
    "select 1 into/**/dumpfile '/tmp/x'",
    "table t into outfile '/tmp/x'",
    'select * from t for update',
    'select * from t for update skip locked',
    'select * from t lock in share mode',
    'select * from t for share',
    'select * from (select * from t FOR\nUPDATE) x',
    'with a as (select 1) update t set n = 1',
    'with a as (select 1) delete from t',
    'explain update t set n = 1',
    "select 1 /*! into outfile '/tmp/x' */",
    "select 1 /*M! into outfile '/tmp/x' */",
    'select $$a$$',
  ])('%s is rejected before it reaches the server', (sql) => {
    expect(verdict(sql)).toBe('refused')
  })
})
