import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../ports/clock.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { hasMariadb } from '../../../testing/servers/mariadb-server.ts'
import { errorOf, never, readAll } from '../../../testing/engines/engine-conformance.ts'
import type { Engine } from '../engine.ts'
import { startWarehouse, type Warehouse } from '../../../testing/engines/mysql-warehouse.ts'

/** Server settings that would change how statements and values are read if the engine did not override them. */
const hostile = {
  'sql-mode': 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,NO_ENGINE_SUBSTITUTION',
  'default-time-zone': '+05:00',
  'character-set-server': 'latin1',
  'character-set-client-handshake': '0',
}

const endless = `select count(*) from ${'abcdefghijkl'.split('').map((name) => `digits ${name}`).join()}`

describe.skipIf(!hasMariadb)('the MySQL engine, on MariaDB', () => {
  let warehouse: Warehouse
  let engine: Engine

  beforeAll(async () => {
    warehouse = await startWarehouse({ settings: hostile })
    await warehouse.setUp([
      'create table digits (n integer not null)',
      'insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
    ])
    engine = warehouse.open()
  })

  afterAll(async () => {
    await engine.close()
    await warehouse.stop()
  })

  const select = async (sql: string) => (await readAll(engine, sql)).rows
  const running = async () => {
    const isOurs = "user = 'reader' and command = 'Query' and info like 'select%'"
    return (await warehouse.server.rows(`select id from information_schema.processlist where ${isOurs}`)) as [number][]
  }
  const untilRunning = async (count: number) => {
    while ((await running()).length !== count) await pollPause()
  }

  describe('runs only statements that read', () => {
    beforeAll(() =>
      warehouse.setUp([
        'create table kept (n int) engine = aria',
        'create sequence numbering',
        'create procedure fill() insert into kept values (1)',
        'create function filled() returns int modifies sql data begin insert into kept values (1); return 1; end',
        `create function unlocked() returns int
          begin set session tx_read_only = 0; insert into kept values (1); return 1; end`,
        "grant file on *.* to reader@'%'",
      ]),
    )

    it.each([
      'insert into kept values (1)',
      'insert into digits values (1)',
      'create temporary table mine (n int)',
      'create table other as select 1',
      'truncate kept',
      'alter table kept add m int',
      'lock tables kept write',
      'call fill()',
      'do filled()',
      'select filled()',
      'select unlocked()',
      'select nextval(numbering)',
      'select next value for numbering',
      'set session tx_read_only = 0',
      'set statement max_statement_time = 0 for select 1',
      'start transaction read write',
      "load data local infile '/etc/hostname' into table kept",
      "prepare p from 'select 1'",
      'handler kept open',
      'flush tables',
      'kill 1',
      'shutdown',
      'analyze table kept',
      'select 1 into @kept',
      "select 'x' into outfile '/tmp/querypost-never-written'",
      "select 'x' into dumpfile '/tmp/querypost-never-written'",
      "select 'x' /*!00000 into outfile '/tmp/querypost-never-written' */",
      'select * from digits for update',
      'select * from digits lock in share mode',
    ])('rejects %s', async (sql) => {
      expect((await errorOf(engine, sql)).kind).toBe('refused')
    })

    it('has changed nothing', async () => {
      expect(await select('select count(*) from kept')).toEqual([[0]])
      expect(await select('select count(*) from digits')).toEqual([[10]])
      expect(await warehouse.server.rows("select load_file('/tmp/querypost-never-written')")).toEqual([[null]])
      expect((await select('show full tables')).map(([name]) => name)).not.toContain('other')
    })

    it('reports what is wrong with an invalid statement, and runs statements that read', async () => {
      expect(await errorOf(engine, 'selec 1')).toMatchObject({ kind: 'failed', position: { line: 1, column: 1 } })
      expect(await errorOf(engine, '')).toMatchObject({ kind: 'failed' })
      expect(await select('(select 1) union (select 2)')).toEqual([[1], [2]])
      expect(await select('values (1), (2)')).toEqual([[1], [2]])
      expect(await select('show tables like "digits"')).toEqual([['digits']])
      expect((await select('describe digits'))[0]).toEqual(['n', 'int(11)', 'NO', '', null, ''])
      expect(await select('explain select * from digits')).toHaveLength(1)
      expect(await select("select '?', 'it''s', 'a\\'b'")).toEqual([['?', "it's", "a'b"]])
    })
  })

  describe('a session', () => {
    it('uses UTC, UTF-8 and standard quoting whatever the server’s settings', async () => {
      const [settings] = await select('select @@time_zone, @@character_set_client, @@character_set_results, @@sql_mode')
      expect(settings).toEqual(['+00:00', 'utf8mb4', 'utf8mb4', 'NO_ENGINE_SUBSTITUTION'])
      expect(await select(`select now() = utc_timestamp(), "text", 'a\\'b'`)).toEqual([[1, 'text', "a'b"]])
    })

    it('keeps no state from the previous statement', async () => {
      const one = warehouse.open({}, { maxConnections: 1 })
      const before = await readAll(one, "select connection_id(), @left := 'behind', get_lock('held', 0)")
      const after = await readAll(one, "select connection_id(), @left, is_used_lock('held')")
      expect(before.rows).toEqual([[expect.any(Number), 'behind', 1]])
      expect(after.rows).toEqual([[before.rows[0]![0], null, null]])
      await one.close()
    })

    it('is reused, and closed after a minute without statements', async () => {
      const clock = manualClock()
      const slept: number[] = []
      const sleep: Clock['sleep'] = (ms, signal) => {
        slept.push(ms)
        return clock.sleep(ms, signal)
      }
      const one = warehouse.open({}, { clock: { ...clock, sleep }, maxConnections: 1 })
      const idOf = async () => (await readAll(one, 'select connection_id()')).rows[0]![0] as number
      const exists = async (id: number) =>
        (await warehouse.server.rows(`select 1 from information_schema.processlist where id = ${id}`)).length === 1
      const first = await idOf()
      expect(await idOf()).toBe(first)
      // It was cleaned twice and is idle again.
      while (slept.filter((ms) => ms === 60_000).length < 2) await pollPause()
      await clock.advance(59_999)
      expect(await exists(first)).toBe(true)
      await clock.advance(1)
      while (await exists(first)) await pollPause()
      expect(await idOf()).not.toBe(first)
      await one.close()
    })

    it('is limited in number: statements wait in line and can be stopped while waiting', async () => {
      const two = warehouse.open({}, { maxConnections: 2 })
      const eight = Array.from({ length: 8 }, () => readAll(two, 'select connection_id(), sleep(0.001)'))
      expect(new Set((await Promise.all(eight)).map(({ rows }) => rows[0]![0])).size).toBeLessThanOrEqual(2)
      const stop = new AbortController()
      const held = [1, 2].map(() => errorOf(two, endless, stop.signal))
      await untilRunning(2)
      const abort = new AbortController()
      const waiting = errorOf(two, 'select 1', abort.signal)
      abort.abort()
      expect((await waiting).kind).toBe('stopped')
      const next = readAll(two, 'select 42')
      stop.abort()
      expect((await Promise.all(held)).map(({ kind }) => kind)).toEqual(['stopped', 'stopped'])
      expect((await next).rows).toEqual([[42]])
      await two.close()
    })
  })

  describe('a statement that is stopped', () => {
    it('no longer runs on the server once it is reported as stopped', async () => {
      const stop = new AbortController()
      const ended = errorOf(engine, endless, stop.signal)
      await untilRunning(1)
      stop.abort()
      expect((await ended).kind).toBe('stopped')
      expect(await running()).toEqual([])
    })

    it('no longer runs when the reader stops early or is slow', async () => {
      const all = endless.replace('count(*)', '*')
      const result = await engine.run({ sql: all, signal: never() })
      for await (const _ of result.batches) break
      expect(await running()).toEqual([])

      const stop = new AbortController()
      const slow = await engine.run({ sql: all, signal: stop.signal })
      const batches = slow.batches[Symbol.asyncIterator]()
      await batches.next()
      // Nothing reads the result, so the server is blocked in the middle of a write.
      stop.abort()
      await expect(batches.next()).rejects.toMatchObject({ kind: 'stopped' })
      expect(await running()).toEqual([])
    })

    it('no longer runs when a row is too large, and the error says so', async () => {
      const large = ['x', 'y', 'z'].map((letter) => `repeat('${letter}', 12000000)`).join()
      const error = await errorOf(engine, `select ${large} from digits where n < 3`)
      expect(error).toMatchObject({ kind: 'failed', message: expect.stringContaining('larger than') })
      expect(await running()).toEqual([])
    })

    it('is stopped through a new connection when none is idle', async () => {
      const one = warehouse.open({}, { maxConnections: 1 })
      const stop = new AbortController()
      const ended = errorOf(one, endless, stop.signal)
      await untilRunning(1)
      stop.abort()
      expect((await ended).kind).toBe('stopped')
      expect(await running()).toEqual([])
      await one.close()
    })

    it('ends when the engine closes', async () => {
      const one = warehouse.open()
      const ended = errorOf(one, endless)
      await untilRunning(1)
      await one.close()
      expect((await ended).kind).toBe('stopped')
      expect(await running()).toEqual([])
      expect((await errorOf(one, 'select 1')).kind).toBe('stopped')
    })

    it('fails when it is stopped at the server by someone else', async () => {
      const ended = errorOf(engine, endless)
      await untilRunning(1)
      const [[id]] = (await running()) as [[number]]
      await warehouse.server.rows(`kill query ${id}`)
      expect(await ended).toMatchObject({ kind: 'failed', message: expect.stringContaining('interrupted') })
      expect(await select('select 42')).toEqual([[42]])
    })
  })

  it('respects the server’s own statement timeout and reports when it was exceeded', async () => {
    await warehouse.setUp(["create user hasty@'%' with max_statement_time 0.01", "grant select on shop.* to hasty@'%'"])
    const hasty = warehouse.open({ user: 'hasty' }, { password: null, maxConnections: 1 })
    // The second run uses a cleaned session.
    for (let count = 0; count < 2; count++) {
      const error = await errorOf(hasty, endless)
      expect(error).toMatchObject({ kind: 'failed', message: expect.stringContaining('max_statement_time') })
    }
    await hasty.close()
    expect(await select('select @@max_statement_time')).toEqual([[90_000]])
  })

  it('does not fall back to an unencrypted connection when the server offers no TLS', async () => {
    const encrypted = warehouse.open({ tls: 'encrypted' })
    expect(await errorOf(encrypted, 'select 1')).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('does not offer TLS'),
    })
    await encrypted.close()
  })

  it('counts the rows read from tables for each statement', async () => {
    const countsOf = async (sql: string) => {
      const { rowsRead, rowsWritten } = await readAll(engine, sql)
      return [rowsRead, rowsWritten]
    }
    expect(await countsOf('select count(*) from digits where n > 1')).toEqual([10, 0])
    expect(await countsOf('select 42')).toEqual([0, 0])
    expect(await countsOf('select a.n from digits a, digits b order by 1')).toEqual([20, 0])
  })

  it('describes the databases visible to the user, without sequences', async () => {
    await warehouse.setUp([
      'create database elsewhere',
      "create table elsewhere.things (id int unsigned not null comment 'Its number', label varchar(10)) comment 'Things'",
      'create view elsewhere.labels as select label from elsewhere.things',
      'create sequence elsewhere.counting',
      'create database hidden',
      'create table hidden.secrets (n int)',
      "grant select on elsewhere.* to reader@'%'",
    ])
    const tables = await engine.describe(never())
    expect(tables.filter(({ schema }) => schema !== 'shop')).toEqual([
      {
        schema: 'elsewhere', name: 'labels', kind: 'view', rowEstimate: null, comment: null,
        columns: [{ name: 'label', type: 'varchar(10)', nullable: true, comment: null }],
      },
      {
        schema: 'elsewhere', name: 'things', kind: 'table', rowEstimate: 0, comment: 'Things',
        columns: [
          { name: 'id', type: 'int(10) unsigned', nullable: false, comment: 'Its number' },
          { name: 'label', type: 'varchar(10)', nullable: true, comment: null },
        ],
      },
    ])
    expect(tables.find(({ name }) => name === 'digits')).toMatchObject({ schema: 'shop', rowEstimate: 10 })
    expect((await engine.test(never())).version).toMatch(/^MariaDB \d+\.\d+\.\d+$/)
  })
})
