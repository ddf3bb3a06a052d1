import { describe, expect, test } from 'vitest'
import { parseMigration, readMigrations } from './migration-files.ts'
import { type Fault, faultsOf } from '../../testing/store/migration-rules.ts'

/**
 * What came before the first version that could be upgraded in place, and why it did no harm. Files that have been
 * applied are not changed any more, not even by a comment, so the reasons stand here.
 */
const beforeTheRule: Record<string, string> = {
  '0004-automations.sql': 'new kinds of notifications, and e-mails of them: the checks are wider than before, the table was small',
  '0005-people-pages.sql': 'a password may be missing: only for people whom no older process could let in anyway',
  '0006-run-progress.sql': 'triggers for the search, which write a table that only newer processes read',
  '0007-uploads.sql': 'a unique index became narrower on a table with as many rows as there are databases',
  '0008-resent-deliveries.sql': 'an index over the few deliveries that a person sent again: reading the table takes seconds',
}

test('migrations do no harm to processes of the version before', async () => {
  const migrations = await readMigrations()
  const names = migrations.map(({ name }) => name)
  const faults = migrations.flatMap((migration, index) => faultsOf(migration, names.slice(0, index)))
  expect(faults.filter(({ migration }) => !(migration in beforeTheRule))).toEqual([])
  // Nothing is excused that is well.
  expect([...new Set(faults.map(({ migration }) => migration))]).toEqual(Object.keys(beforeTheRule))
})

const judge = (text: string): string[] =>
  faultsOf(parseMigration('0012-next.sql', text), ['0011-before.sql']).map(({ fault }: Fault) => fault)

describe('what only adds is well', () => {
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

describe('what breaks older processes, or holds them up, is refused', () => {
  test.each([
    ['drop table runs;', 'not known to be harmless'],
    ['alter table runs rename to executions;', 'another way than by adding'],
    ['alter table runs rename column status to state;', 'another way than by adding'],
    ['alter table runs add column a integer, drop column status;', 'another way than by adding'],
    ['alter table runs add column a integer;\nalter table queries add column a integer;', 'while it locks runs'],
    ['alter table runs alter column number type bigint;', 'another way than by adding'],
    ['alter table runs alter column note set not null;', 'another way than by adding'],
    ['alter table runs add constraint positive check (number > 0) not valid;', 'another way than by adding'],
    ['alter table runs add column cost bigint not null;', 'older ones do not fill'],
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
    ['update runs set number = 1;', 'not known to be harmless'],
    ['truncate runs;', 'not known to be harmless'],
    ['lock table runs;', 'not known to be harmless'],
    ['create or replace function cost() returns integer language sql as $$ select 1 $$;', 'not known to be harmless'],
    ['create trigger cost before update on runs for each row execute function cost();', 'not known to be harmless'],
    ['create table plans (id text);\ncreate trigger plans before update on runs for each row execute function cost();', 'not known'],
    ['-- contracts 0013-after.sql: nobody needs it\ndrop table runs;', 'does not come before it'],
  ])('%s', (text, fault) => expect(judge(text)).toEqual([expect.stringContaining(fault)]))
})

describe('a person may answer for it', () => {
  test('with a reason above the statement, for that statement alone', () => {
    const excused = '-- beside older versions: no process has written to it since 0009.\ndrop table plans;\n'
    expect(judge(excused)).toEqual([])
    expect(judge(`${excused}drop table runs;`)).toHaveLength(1)
    expect(judge('-- beside older versions: fine\ndrop table plans;')).toHaveLength(1)
  })

  test('by saying what the file contracts', () => {
    expect(judge('-- contracts 0011-before.sql: plans moved to another table there\ndrop table plans;')).toEqual([])
  })
})
