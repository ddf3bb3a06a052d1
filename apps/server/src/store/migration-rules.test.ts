import { describe, expect, test } from 'vitest'
import { parseMigration, readMigrations } from './migration-files.ts'
import { type Fault, faultsOf } from '../../testing/store/migration-rules.ts'

/**
 * Migrations from before the first version that could be upgraded in place, and why they were safe. Applied files never change,
 * not even their comments, so the reasons are recorded here.
 */
const exceptions: Record<string, string> = {
  '0004-automations.sql': 'new kinds of notifications and their e-mails: the checks only got wider, and the table was small',
  '0005-people-pages.sql': 'a password may be missing, but only for users who could not sign in through older processes anyway',
  '0006-run-progress.sql': 'triggers for the search, which write to a table that only newer processes read',
  '0007-uploads.sql': 'a unique index became narrower on a table with one row per database',
  '0008-resent-deliveries.sql': 'an index on the few deliveries that were resent manually: reading the table takes seconds',
}

test('migrations are safe for processes of the previous version', async () => {
  const migrations = await readMigrations()
  const names = migrations.map(({ name }) => name)
  const faults = migrations.flatMap((migration, index) => faultsOf(migration, names.slice(0, index)))
  expect(faults.filter(({ migration }) => !(migration in exceptions))).toEqual([])
  // No exception is listed that is not needed.
  expect([...new Set(faults.map(({ migration }) => migration))]).toEqual(Object.keys(exceptions))
})

const judge = (text: string): string[] =>
  faultsOf(parseMigration('0012-next.sql', text), ['0011-before.sql']).map(({ fault }: Fault) => fault)

describe('accepts migrations that only add', () => {
  test.each([
    'create table plans (id text primary key);\ncreate unique index plans_id on plans (id);\nalter table plans add unique (id);',
    'create table plans (id text);\ninsert into plans\nselect id from users;',
    'alter table runs add column cost_cents bigint;',
    "alter table runs\n  add column cost numeric(10, 2) not null default 0,\n  add column note text not null default '';",
    'alter table runs add column is_cheap boolean not null default false;',
    'create function cost(runs) returns integer language sql as $$\n  delete from runs;\n  select 1\n$$;',
    'alter table runs alter column note set default 5;',
    '-- drop table runs;\nalter table runs add column note text;',
    '-- without a transaction\ndrop index concurrently if exists runs_cost;\ncreate index concurrently runs_cost on runs (cost);',
  ])('%s', (text) => expect(judge(text)).toEqual([]))
})

describe('rejects migrations that break or block older processes', () => {
  test.each([
    ['drop table runs;', 'not known to be safe'],
    ['alter table runs rename to executions;', 'other than by adding'],
    ['alter table runs rename column status to state;', 'other than by adding'],
    ['alter table runs add column a integer, drop column status;', 'other than by adding'],
    ['alter table runs add column a integer;\nalter table queries add column a integer;', 'while it locks runs'],
    ['alter table runs alter column number type bigint;', 'other than by adding'],
    ['alter table runs alter column note set not null;', 'other than by adding'],
    ['alter table runs add constraint positive check (number > 0) not valid;', 'other than by adding'],
    ['alter table runs add column cost bigint not null;', 'older processes do not fill'],
    ['alter table runs add column token text default md5(random()::text);', 'not a constant'],
    ['alter table runs add column kind text default null_of(1);', 'not a constant'],
    ['alter table runs add column cost bigint generated always as (number * 2) stored;', 'computed for all rows'],
    ['alter table runs add column cost bigint check (cost > 0);', 'adds a constraint'],
    ['alter table runs add column plan_id text references plans (id);', 'adds a constraint'],
    ['create index runs_cost on runs (cost);', 'build it concurrently'],
    ['create index concurrently runs_cost on runs (cost);', 'without a transaction'],
    ['-- without a transaction\ncreate index concurrently runs_cost on runs (cost);', 'unfinished index'],
    ['-- without a transaction\ncreate unique index concurrently runs_cost on runs (cost);', 'not an index built concurrently'],
    ['-- without a transaction\nalter table runs add column cost bigint;', 'not an index built concurrently'],
    ['update runs set number = 1;', 'not known to be safe'],
    ['truncate runs;', 'not known to be safe'],
    ['lock table runs;', 'not known to be safe'],
    ['create or replace function cost() returns integer language sql as $$ select 1 $$;', 'not known to be safe'],
    ['create trigger cost before update on runs for each row execute function cost();', 'not known to be safe'],
    ['create table plans (id text);\ncreate trigger plans before update on runs for each row execute function cost();', 'not known'],
    ['-- contracts 0013-after.sql: nobody needs it\ndrop table runs;', 'does not precede it'],
  ])('%s', (text, fault) => expect(judge(text)).toEqual([expect.stringContaining(fault)]))
})

describe('allows an exception', () => {
  test('with a reason above the statement, for that statement alone', () => {
    const explained = '-- beside older versions: no process has written to it since 0009.\ndrop table plans;\n'
    expect(judge(explained)).toEqual([])
    expect(judge(`${explained}drop table runs;`)).toHaveLength(1)
    expect(judge('-- beside older versions: fine\ndrop table plans;')).toHaveLength(1)
  })

  test('by declaring what the file contracts', () => {
    expect(judge('-- contracts 0011-before.sql: plans moved to another table there\ndrop table plans;')).toEqual([])
  })
})
