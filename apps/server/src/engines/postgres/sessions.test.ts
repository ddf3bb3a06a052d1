import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '../../ports/clock.ts'
import { makeAuthority, type Authority } from '../../../testing/servers/certificates.ts'
import { pollPause, shortPause } from '../../../testing/poll-pause.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { conformanceSql, errorOf, failureOf, never, readAll, rowsSql } from '../../../testing/engines/engine-conformance.ts'
import { EngineError, type Engine, type EngineSession } from '../engine.ts'
import { startProxy } from '../../../testing/engines/postgres-proxy.ts'
import { reader, startPostgresSubject, type PostgresSubject, type SubjectChange } from '../../../testing/engines/postgres-subject.ts'

let subject: PostgresSubject

beforeAll(async () => {
  // The role may write, so that only the engine prevents it.
  subject = await startPostgresSubject([
    ...conformanceSql.fixture,
    'create role writer',
    'create sequence counter',
    `create function sneak() returns integer language plpgsql as $$ begin insert into digits values (99); return 1; end $$`,
    `create function sneak_mode() returns integer language plpgsql as
      $$ begin set transaction read write; insert into digits values (99); return 1; end $$`,
    `create procedure commits() language plpgsql as $$ begin insert into digits values (99); commit; end $$`,
    'create materialized view stale as select n from digits',
  ])
  await subject.admin(`grant all on all tables in schema public to ${reader.user}, writer;
    grant all on all sequences in schema public to ${reader.user}; grant create on schema public to ${reader.user};
    grant writer, pg_write_server_files, pg_execute_server_program, pg_checkpoint, pg_maintain to ${reader.user}`)
})

afterAll(() => subject.release())

/** An engine for one test. */
async function using<Value>(change: SubjectChange, work: (engine: Engine) => Promise<Value>): Promise<Value> {
  const engine = subject.open(change)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

const valueOf = async (engine: Engine, sql: string) => (await readAll(engine, sql)).rows[0]![0]
const connections = async (condition = 'true') => {
  const [row] = await subject.admin(
    `select count(*)::integer as count from pg_stat_activity where usename = '${reader.user}' and ${condition}`,
  )
  return row!['count'] as number
}

describe('writes are prevented', () => {
  const statements = [
    'insert into digits values (99)',
    'insert into digits values (99) returning n',
    'truncate digits',
    'with added as (insert into digits values (99) returning n) select n from added',
    'with gone as (delete from digits returning n) select count(*) from gone',
    'select * from digits for update',
    'select n into more from digits',
    'select n into temporary more from digits',
    'create temporary table more (n integer)',
    'create table more as select 1',
    'explain analyze insert into digits values (99)',
    'explain (analyze) create table more as select 1',
    `select nextval('counter')`,
    `select setval('counter', 99)`,
    'select lo_create(0)',
    'select sneak()',
    'select sneak_mode()',
    `select set_config('transaction_read_only', 'off', true), sneak()`,
    `select set_config('transaction_read_only', 'off', false)`,
    `copy digits from program 'echo 99'`,
    `copy digits to '/tmp/querypost-leak'`,
    `copy (select 1) to program 'true'`,
    'copy digits to stdout',
    'copy digits from stdin',
    'do $$ begin insert into digits values (99); end $$',
    'do $$ begin perform 1; end $$',
    'call commits()',
    'begin',
    'begin read write',
    'set transaction read write',
    'set session characteristics as transaction read write',
    'commit',
    'commit and chain',
    'rollback',
    'rollback; insert into digits values (99)',
    'savepoint one',
    'prepare one as insert into digits values (99)',
    'execute one',
    'declare one cursor with hold for select 1',
    'fetch all from one',
    'lock table digits',
    'listen news',
    `notify news, 'x'`,
    'set role writer',
    'set session authorization reader',
    `set search_path = 'nowhere'`,
    'reset all',
    'discard all',
    'vacuum',
    'analyze digits',
    'checkpoint',
    'refresh materialized view stale',
    `load 'plpgsql'`,
    `comment on table digits is 'x'`,
    'grant all on digits to public',
    `alter role reader set search_path = 'nowhere'`,
    '',
    '-- nothing',
    'select 1\0',
    'select $1',
  ]

  test('for every kind of statement', async () => {
    await using({ maxConnections: 1 }, async (engine) => {
      for (const sql of statements) {
        const { kind } = await errorOf(engine, sql)
        expect(['refused', 'failed'], sql).toContain(kind)
        // The next statement gets the same connection or another one, but a clean one.
        expect(await valueOf(engine, 'select count(*)::integer from digits'), sql).toBe(10)
      }
    })
    const [after] = await subject.admin(`select (select count(*) from digits)::integer as digits, (select last_value from counter)::integer
      as counter, to_regclass('more') as more, (select count(*) from pg_largeobject_metadata)::integer as objects,
      (select count(*) from pg_db_role_setting)::integer as settings, obj_description('digits'::regclass) as comment`)
    expect(after).toEqual({ digits: 10, counter: 1, more: null, objects: 0, settings: 0, comment: null })
  })

  test('with a message about what is allowed, unless the server reports an error', async () => {
    await using({}, async (engine) => {
      expect(await errorOf(engine, "copy digits to '/tmp/x'")).toMatchObject({ kind: 'refused', message: expect.stringContaining('COPY is not allowed') })
      expect(await errorOf(engine, 'select * from digits for update')).toMatchObject({
        kind: 'refused', message: expect.stringContaining('read-only transaction'),
      })
      expect(await errorOf(engine, 'copi digits')).toMatchObject({ kind: 'failed', message: expect.stringContaining('syntax error') })
      expect(await errorOf(engine, 'select $1::integer')).toMatchObject({ kind: 'failed', message: expect.stringContaining('{{name}}') })
    })
  })

  test.each([
    ['values (1), (2)', [[1], [2]]],
    ['table digits limit 1', [[0]]],
    ['(select 1) union all (select 2)', [[1], [2]]],
    ['/* first */ with a as (select 7 as n) select n from a; -- last', [[7]]],
    ['show time zone', [['UTC']]],
    ['explain (costs off) select 1', [['Result']]],
    ['select', [[]]],
  ])('%s runs', async (sql, rows) => {
    await using({}, async (engine) => expect((await readAll(engine, sql)).rows).toEqual(rows))
  })
})

describe('no state reaches the next statement', () => {
  const state = `select current_user::text, current_setting('search_path'), current_setting('TimeZone'), nullif(current_setting('my.own', true), ''),
    (select count(*)::integer from pg_locks where locktype = 'advisory'), current_setting('transaction_read_only')`

  test.each([
    `select set_config('search_path', 'nowhere', false)`,
    `select set_config('role', 'writer', false)`,
    `select set_config('TimeZone', 'Asia/Tokyo', false)`,
    `select set_config('my.own', 'x', false)`,
    'select pg_advisory_lock(1)',
    'select pg_advisory_lock_shared(2) from digits',
    `select set_config('role', 'writer', false), 1 / 0`,
  ])('%s', async (sql) => {
    await using({ maxConnections: 1 }, async (engine) => {
      const before = (await readAll(engine, state)).rows
      const pid = await valueOf(engine, 'select pg_backend_pid()')
      await readAll(engine, sql).catch(() => {})
      expect((await readAll(engine, state)).rows).toEqual(before)
      expect(await valueOf(engine, 'select pg_backend_pid()')).toBe(pid)
    })
  })

  test('a server that identifies as Redshift gets a connection per statement', async () => {
    const proxy = await startProxy({ port: subject.port, replace: { text: 'compiled by gcc', by: 'Redshift 1.0.12' } })
    await using({ to: { port: proxy.port } }, async (engine) => {
      expect(await engine.test(never())).toEqual({ version: 'Redshift 1.0.12' })
      const pids = [await valueOf(engine, 'select pg_backend_pid()'), await valueOf(engine, 'select pg_backend_pid()')]
      expect(new Set(pids).size).toBe(2)
      expect((await readAll(engine, 'select id, price from items order by id')).rows[0]).toEqual([1, '12.50'])
      expect((await engine.describe(never())).map(({ name }) => name)).toContain('items')
    })
    await proxy.close()
  })
})

describe('connections', () => {
  test('are reused, and closed after being idle', async () => {
    const clock = manualClock()
    const sleeps: number[] = []
    const sleep: Clock['sleep'] = (ms, signal) => {
      sleeps.push(ms)
      return clock.sleep(ms, signal)
    }
    /** The clock does not advance until the connection has been cleaned. */
    const isIdle = async () => {
      while (sleeps.at(-1) !== 60_000) await pollPause()
      sleeps.length = 0
    }
    await using({ clock: { ...clock, sleep }, idleMs: 60_000 }, async (engine) => {
      const pid = await valueOf(engine, 'select pg_backend_pid()')
      await isIdle()
      await clock.advance(59_999)
      expect(await valueOf(engine, 'select pg_backend_pid()')).toBe(pid)
      await isIdle()
      await clock.advance(60_000)
      while ((await connections()) > 0) await pollPause()
      expect(await valueOf(engine, 'select pg_backend_pid()')).not.toBe(pid)
    })
  })

  test('are limited in number; waiting statements are served in order and can be stopped', async () => {
    await using({ maxConnections: 1 }, async (engine) => {
      const first = await engine.run({ sql: rowsSql(9), signal: never() })
      const stop = new AbortController()
      const leaving = errorOf(engine, 'select 1', stop.signal)
      const order: number[] = []
      const staying = [2, 3].map(async (number) => {
        await readAll(engine, `select ${number}`)
        order.push(number)
      })
      stop.abort()
      expect((await leaving).kind).toBe('stopped')
      // The server may still be ending one of an earlier test.
      await expect.poll(() => connections()).toBe(1)
      for await (const _ of first.batches) break
      await Promise.all(staying)
      expect(order).toEqual([2, 3])
    })
  })

  test('apply backpressure when nothing reads the result', async () => {
    await using({}, async (engine) => {
      const result = await engine.run({ sql: rowsSql(9), signal: never() })
      const batches = result.batches[Symbol.asyncIterator]()
      await batches.next()
      while ((await connections(`wait_event = 'ClientWrite'`)) === 0) await pollPause()
      await batches.return!()
      expect(await connections(`state = 'active'`)).toBe(0)
    })
  })

  test('that end themselves do not affect others', async () => {
    await using({ maxConnections: 1 }, async (engine) => {
      expect(await errorOf(engine, 'select pg_terminate_backend(pg_backend_pid())')).toMatchObject({
        kind: 'unreachable', message: expect.stringContaining('administrator command'),
      })
      expect(await valueOf(engine, 'select 42')).toBe(42)
    })
  })

  test('respect the server’s statement timeout and report it', async () => {
    await subject.admin(`alter role ${reader.user} set statement_timeout = '20ms'`)
    await using({}, async (engine) => {
      expect(await errorOf(engine, 'select pg_sleep(60)')).toMatchObject({ kind: 'failed', message: expect.stringContaining('statement timeout') })
    })
    await subject.admin(`alter role ${reader.user} reset statement_timeout`)
  })

  test('go to the first place that accepts them', async () => {
    const asked: string[] = []
    const addressesOf = async ({ host }: { host: string }) => {
      asked.push(host)
      if (host === 'nowhere.test') throw new EngineError('unreachable', 'The host nowhere.test has no address.')
      return ['127.0.0.2', '127.0.0.1']
    }
    const otherHosts = [{ host: 'closed.test', port: 1 }, { host: 'warehouse.test', port: subject.port }]
    await using({ addressesOf, to: { host: 'nowhere.test', otherHosts } }, async (engine) => {
      expect(await valueOf(engine, 'select 42')).toBe(42)
      expect(asked).toEqual(['nowhere.test', 'closed.test', 'warehouse.test'])
    })
    await using({ addressesOf, to: { host: 'nowhere.test', otherHosts: [otherHosts[0]!] } }, async (engine) => {
      expect(await errorOf(engine, 'select 1')).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('nowhere.test') })
    })
    // A wrong password is not tried on every host.
    asked.length = 0
    await using({ addressesOf, password: 'wrong', to: { otherHosts } }, async (engine) => {
      expect((await errorOf(engine, 'select 1')).message).toContain('password authentication failed')
      expect(asked).toEqual(['warehouse.test'])
    })
  })

  test('are abandoned when the statement is stopped while connecting, or on timeout', async () => {
    const stop = new AbortController()
    const addressesOf = async (_: unknown, signal: AbortSignal) => {
      setImmediate(() => stop.abort())
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return ['127.0.0.1']
    }
    await using({ addressesOf }, async (engine) => {
      expect((await errorOf(engine, 'select 1', stop.signal)).kind).toBe('stopped')
    })
    const proxy = await startProxy({ port: subject.port, isSilent: true })
    const clock = manualClock()
    await using({ clock, to: { port: proxy.port } }, async (engine) => {
      const ended = errorOf(engine, 'select 1')
      while (clock.sleepers() === 0) await pollPause()
      await clock.advance(10_000)
      expect(await ended).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('within 10 seconds') })
    })
    await proxy.close()
  })

  test('are destroyed when the server does not answer during cleanup', async () => {
    const proxy = await startProxy({ port: subject.port, stallsAt: 'discard all' })
    const clock = manualClock()
    await using({ clock, to: { port: proxy.port }, maxConnections: 1 }, async (engine) => {
      expect(await valueOf(engine, 'select 1')).toBe(1)
      // The only connection is still being cleaned, and this statement waits for it.
      const waiting = valueOf(engine, 'select 2')
      await clock.advance(5_000)
      expect(await waiting).toBe(2)
    })
    await proxy.close()
  })

  test('report a missing password', async () => {
    await using({ password: null }, async (engine) => {
      expect(await errorOf(engine, 'select 1')).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('requires a password') })
    })
  })
})

test('every connection returns to the pool, however its statement ends', async () => {
  const drain = async (batches: AsyncIterable<unknown>, onBatch: () => boolean) => {
    for await (const _ of batches) if (onBatch()) break
  }
  /** Ways for a statement to end; each returns its outcome. */
  const ways: ((engine: Engine, pauses: number) => Promise<unknown>)[] = [
    (engine) => valueOf(engine, 'select 42'),
    (engine) => errorOf(engine, 'select nope').then(({ kind }) => kind),
    (engine) => errorOf(engine, 'commit').then(({ kind }) => kind),
    (engine) => errorOf(engine, 'select 1 / (9000 - i) from generate_series(1, 10000) i').then(({ kind }) => kind),
    async (engine) => {
      const { batches } = await engine.run({ sql: rowsSql(9), signal: never() })
      await drain(batches, () => true)
      return 'enough'
    },
    async (engine, pauses) => {
      const stop = new AbortController()
      const ended = errorOf(engine, pauses % 2 === 0 ? rowsSql(9) : conformanceSql.endless, stop.signal)
      for (let count = 0; count < pauses; count++) await shortPause()
      stop.abort()
      return (await ended).kind
    },
    async (engine, pauses) => {
      const stop = new AbortController()
      const { batches } = await engine.run({ sql: 'select 7', signal: stop.signal })
      for (let count = 0; count < pauses % 3; count++) await Promise.resolve()
      stop.abort()
      await drain(batches, () => false).catch(() => {})
      return 'either'
    },
    async (engine) => (await errorOf(engine, 'select pg_terminate_backend(pg_backend_pid())')).kind,
  ]
  const ends = [42, 'failed', 'refused', 'failed', 'enough', 'stopped', 'either', 'unreachable']
  await using({ maxConnections: 3 }, async (engine) => {
    const turns = Array.from({ length: 80 }, (_, index) => ({ way: (index * 5 + Math.floor(index / 8)) % ways.length, pauses: index % 11 }))
    const got = await Promise.all(turns.map(({ way, pauses }) => ways[way]!(engine, pauses)))
    expect(got).toEqual(turns.map(({ way }) => ends[way]))
    // Connections are cleaned shortly after their statement has ended.
    await expect.poll(() => connections(`state = 'active'`)).toBe(0)
    // All three run at once, so no connection was lost.
    const held = await Promise.all([1, 2, 3].map(() => engine.run({ sql: rowsSql(9), signal: never() })))
    await expect.poll(() => connections()).toBe(3)
    for (const { batches } of held) await drain(batches, () => true)
  })
  await expect.poll(() => connections()).toBe(0)
})

describe('a statement that will not stop', () => {
  const stopLimitMs = 5000

  test('is ended by terminating its backend', async () => {
    const proxy = await startProxy({ port: subject.port, swallowsCancels: true })
    const clock = manualClock()
    await using({ clock, to: { port: proxy.port } }, async (engine) => {
      const stop = new AbortController()
      const ended = errorOf(engine, 'select pg_sleep(600)', stop.signal)
      while ((await connections(`state = 'active' and query like '%pg_sleep(600)%'`)) === 0) await pollPause()
      stop.abort()
      await clock.advance(stopLimitMs)
      expect((await ended).kind).toBe('stopped')
      // Not the connection that terminated it, which may still be closing.
      expect(await connections(`state = 'active' and query like '%pg_sleep(600)%'`)).toBe(0)
    })
    await proxy.close()
  })

  test('is abandoned in the end with a warning', async () => {
    const clock = manualClock()
    const warnings: string[] = []
    const log = Object.assign(Object.create(silentLog) as typeof silentLog, { warn: (_: unknown, text: string) => warnings.push(text) })
    await using({ clock, log }, async (engine) => {
      const stop = new AbortController()
      const ended = errorOf(engine, 'select pg_sleep(600)', stop.signal)
      while ((await connections(`wait_event = 'PgSleep'`)) === 0) await pollPause()
      const [row] = await subject.admin(`select pid from pg_stat_activity where wait_event = 'PgSleep'`)
      const pid = row!['pid'] as number
      process.kill(pid, 'SIGSTOP')
      try {
        stop.abort()
        await clock.advance(stopLimitMs)
        // The limit for terminating the backend.
        while (clock.sleepers() === 0) await pollPause()
        await clock.advance(stopLimitMs)
        expect((await ended).kind).toBe('stopped')
        expect(warnings).toEqual([expect.stringContaining('not confirmed')])
      } finally {
        process.kill(pid, 'SIGCONT')
        await subject.admin(`select pg_terminate_backend(${pid})`)
      }
      while ((await connections()) > 0) await pollPause()
    })
  })
})

describe('TLS', () => {
  let authority: Authority

  const isEncrypted = (engine: Engine) => valueOf(engine, 'select ssl from pg_stat_ssl where pid = pg_backend_pid()')

  test('fails with a server that does not support it', async () => {
    await using({ to: { tls: 'encrypted' } }, async (engine) => {
      expect(await errorOf(engine, 'select 1')).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('does not support TLS') })
    })
  })

  test('works once the server enables it', async () => {
    authority = await makeAuthority()
    const { key, cert } = await authority.issue({ names: ['warehouse.test', '127.0.0.1'] })
    for (const [file, pem] of [['server.key', key], ['server.crt', cert]]) {
      const lines = pem!.trim().split('\n').map((line) => `'${line}'`)
      await subject.admin(`copy (select unnest(array[${lines.join(', ')}])) to program 'umask 077; cat > ${file}'`)
    }
    await subject.admin('alter system set ssl = on')
    await subject.admin('select pg_reload_conf()')
    await expect.poll(() => subject.admin('show ssl')).toEqual([{ ssl: 'on' }])
  })

  test('off: connections are not encrypted', async () => {
    await using({ to: { tls: 'off' } }, async (engine) => expect(await isEncrypted(engine)).toBe(false))
  })

  test('encrypted: accepts any certificate, and statements can be stopped', async () => {
    await using({ to: { tls: 'encrypted' } }, async (engine) => {
      expect(await isEncrypted(engine)).toBe(true)
      const stop = new AbortController()
      const ended = errorOf(engine, conformanceSql.endless, stop.signal)
      while ((await connections(`state = 'active'`)) === 0) await pollPause()
      stop.abort()
      expect((await ended).kind).toBe('stopped')
      expect(await connections(`state = 'active'`)).toBe(0)
      expect((await readAll(engine, rowsSql(4))).rows).toHaveLength(10_000)
    })
  })

  test('verified: requires a certificate for the host from a trusted authority', async () => {
    const other = await makeAuthority('Another authority')
    const verified = (change: SubjectChange['to']) => ({
      to: { tls: 'verified' as const, certificateAuthority: authority.certificate, ...change },
    })
    await using(verified({}), async (engine) => expect(await isEncrypted(engine)).toBe(true))
    await using(verified({ host: '127.0.0.1' }), async (engine) => expect(await isEncrypted(engine)).toBe(true))
    const refusals: [SubjectChange['to'], string][] = [
      [{ host: 'other.test' }, 'it is for another host'],
      [{ certificateAuthority: other.certificate }, 'not issued by a trusted authority'],
      [{ certificateAuthority: null }, 'not issued by a trusted authority'],
    ]
    for (const [change, reason] of refusals) {
      await using(verified(change), async (engine) => {
        const error = await failureOf(engine.test(never()), 'a test')
        expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining(reason) })
      })
    }
  })
})

describe('a statement for one person', () => {
  beforeAll(() =>
    subject.admin(`create table sales (tenant text, amount integer); insert into sales values ('a', 1), ('b', 2), ('it''s \\', 3);
      alter table sales enable row level security; create policy own on sales using (tenant = current_setting('app.tenant'));
      create table notes (tenant text); insert into notes values ('a'), ('b');
      alter table notes enable row level security; create policy own on notes using (tenant = current_user);
      create role a; create role "b"; grant select on sales, notes to ${reader.user}, a, "b"; grant a, "b" to ${reader.user}`),
  )
  const tenant = (value: string) => ({ settings: [{ name: 'app.tenant', value }] })
  async function valuesOf(engine: Engine, session: EngineSession, sql: string) {
    const { batches } = await engine.run({ sql, signal: never(), session })
    const rows: unknown[] = []
    for await (const { json } of batches) rows.push(...(JSON.parse(`[${Buffer.from(json).toString()}]`) as unknown[][]).map(([value]) => value))
    return rows
  }

  test('sees the rows of its setting, whatever characters the value has', () =>
    using({ maxConnections: 1 }, async (engine) => {
      expect(await valuesOf(engine, tenant('a'), 'select amount from sales')).toEqual([1])
      expect(await valuesOf(engine, tenant('b'), 'select amount from sales')).toEqual([2])
      expect(await valuesOf(engine, tenant("it's \\"), 'select amount from sales')).toEqual([3])
      expect(await valuesOf(engine, tenant("'; set local app.tenant = 'a"), 'select amount from sales')).toEqual([])
      // The connection is the same, and has no setting any more.
      expect(await valueOf(engine, "select coalesce(current_setting('app.tenant', true), '')")).toBe('')
    }))

  test('runs as its role', () =>
    using({ maxConnections: 1 }, async (engine) => {
      expect(await valuesOf(engine, { settings: [], role: 'a' }, 'select tenant from notes')).toEqual(['a'])
      expect(await valuesOf(engine, { settings: [], role: 'b' }, 'select tenant from notes')).toEqual(['b'])
      expect(await valueOf(engine, 'select current_user')).toBe(reader.user)
    }))

  test.each(['none', 'NONE', 'postgres', 'a"; reset role; --', ''])('does not run if it cannot have the role %s', (role) =>
    using({}, async (engine) => {
      const run = valuesOf(engine, { settings: [], role }, 'select tenant from notes')
      await expect(run).rejects.toThrow(/no name of a role|role .+ does not exist|permission denied to set role|zero-length/)
    }))

  test.each([
    "select amount, set_config('app.tenant', 'b', true) from sales",
    "select pg_catalog . set_config /* */ ('role', 'none', true)",
    `select "set_config"('app.tenant', 'b', true)`,
    `select u&"set\\005fconfig"('app.tenant', 'b', true)`,
    "select query_to_xml('select set' || '_config(''app.tenant'', ''b'', true)', true, true, '')",
    "select * from ts_stat('select null::tsvector')",
  ])('cannot change its session: %s', (sql) =>
    using({}, async (engine) => {
      await expect(valuesOf(engine, tenant('a'), sql)).rejects.toThrow(/not allowed, because the database has row rules/)
    }))

  test('cannot change its session by an update of the settings', () =>
    using({}, async (engine) => {
      const update = "update pg_settings set setting = 'b' where name = 'app.tenant'"
      const inCte = (statement: string) => `with changed as (${statement}) select amount from sales`
      const refusals = /UPDATE is not allowed|cannot perform UPDATE|read-only transaction/
      for (const sql of [update, inCte(`${update} returning 1`), `explain analyze ${update}`]) {
        await expect(valuesOf(engine, tenant('a'), sql)).rejects.toThrow(refusals)
      }
      // PostgreSQL makes a query of it that nothing refers to, and doesn't run that.
      expect(await valuesOf(engine, tenant('a'), inCte(update))).toEqual([1])
      const memory = "with changed as (update pg_settings set setting = '65' where name = 'work_mem') select current_setting('work_mem')"
      expect(await valuesOf(engine, tenant('a'), memory)).not.toEqual(['65kB'])
    }))

  test('may mention such a function in a text or a comment', () =>
    using({}, async (engine) => {
      expect(await valuesOf(engine, tenant('a'), "select 'set_config' -- set_config\n")).toEqual(['set_config'])
    }))

  test.each(['search_path', 'app.tenant = 1; reset role', 'app.te nant'])('has no setting %s', (name) =>
    using({}, async (engine) => {
      await expect(valuesOf(engine, { settings: [{ name, value: 'a' }] }, 'select 1')).rejects.toThrow(/no name of a custom setting/)
    }))
})
