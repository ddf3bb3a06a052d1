import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAuthority, type Authority } from '../../../testing/servers/certificates.ts'
import { hasClickhouse, readOnlyUser } from '../../../testing/servers/clickhouse-server.ts'
import { pollPause, shortPause } from '../../../testing/poll-pause.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { systemClock, type Clock } from '../../ports/clock.ts'
import { engineConformance, errorOf, never, readAll } from '../../../testing/engines/engine-conformance.ts'
import { clickhouseSql as sql } from '../../../testing/engines/clickhouse-sql.ts'
import { EngineError, type Engine } from '../engine.ts'
import { openGate, startWarehouse, type Warehouse } from '../../../testing/engines/clickhouse-warehouse.ts'

describe.skipIf(!hasClickhouse)('ClickHouse', () => {
  let warehouse: Warehouse
  let engine: Engine
  let authority: Authority

  beforeAll(async () => {
    authority = await makeAuthority()
    warehouse = await startWarehouse({
      timeZone: 'Europe/Berlin',
      tls: await authority.issue({ names: ['warehouse.test'] }),
      fixture: sql.fixture!.map((statement) => statement.replaceAll('2026-01-05 09:', '2026-01-05 10:')),
    })
    engine = warehouse.open()
  })

  afterAll(async () => {
    await engine.close()
    await warehouse.stop()
  })

  engineConformance({
    name: 'ClickHouse 18.16',
    sql,
    abilities: ['statementsRunning', 'dropConnections', 'restart', 'openWith'],
    open: async () => ({
      engine: warehouse.open(),
      statementsRunning: () => warehouse.statementsRunning(),
      dropConnections: async () => warehouse.gate.drop(),
      async restart() {
        await warehouse.server.interrupt('crash')
        await warehouse.server.resume()
      },
      openWith: ({ password, port, database }) =>
        warehouse.open({
          ...(password !== undefined && { password }),
          settings: { ...(port !== undefined && { port }), ...(database !== undefined && { database }) },
        }),
      release: async () => {},
    }),
  })

  describe('statements', () => {
    it('cannot choose another format, an output file or settings', async () => {
      const clauses = ['format TSV', 'format JSON', "into outfile '/tmp/never'", 'settings max_threads = 1']
      for (const clause of clauses) {
        const error = await errorOf(engine, `select 1 ${clause}`)
        expect({ clause, kind: error.kind }).toEqual({ clause, kind: clause.includes('outfile') ? 'failed' : 'refused' })
        expect(error.message).toMatch(/FORMAT clause|INTO OUTFILE|SETTINGS clause/)
      }
    })

    it('cannot read files or other servers', async () => {
      const functions = [
        "file('x', 'TSV', 'a String')",
        "url('http://127.0.0.1:1/', 'TSV', 'a String')",
        "remote('127.0.0.1:1', system, one)",
        "mysql('127.0.0.1:1', 'shop', 'users', 'reader', 'password')",
      ]
      for (const name of functions) expect((await errorOf(engine, `select * from ${name}`)).kind, name).toBe('refused')
    })

    it('report the server’s message when they fail in the middle of their rows', async () => {
      const failing = 'select number, throwIf(number = 300000) from system.numbers limit 400000'
      const result = await engine.run({ sql: failing, signal: never() })
      const reading = (async () => {
        for await (const batch of result.batches) expect(batch.rowCount).toBeGreaterThan(0)
      })()
      const message = "Value passed to 'throwIf' function is non zero"
      await expect(reading).rejects.toMatchObject({ kind: 'failed', message })
    })

    it('report progress before the first row', async () => {
      await warehouse.server.command('create table long (n UInt64) engine = MergeTree order by n')
      await warehouse.server.command('insert into long select number from numbers(2000000)')
      const reported = Promise.withResolvers<number>()
      const stop = new AbortController()
      // Shorten the one-second polling interval.
      const sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(ms === 1000 ? 1 : ms, signal)
      const impatient = warehouse.open({ clock: { ...systemClock, sleep } })
      const slow = 'select sum(cityHash64(toString(n), toString(b))) from long array join range(5000) as b'
      // The first reports are 0 because nothing has been read yet.
      const onProgress = (percent: number) => void (percent > 0 && reported.resolve(percent))
      const running = impatient.run({ sql: slow, signal: stop.signal, onProgress })
      const ended = running.catch((error: unknown) => error)
      const percent = await reported.promise
      stop.abort()
      expect(await ended).toMatchObject({ kind: 'stopped' })
      expect(percent).toBeLessThanOrEqual(100)
      await impatient.close()
      await warehouse.server.command('drop table long')
    })

    it('are slowed down by backpressure when nothing reads the result', async () => {
      const result = await engine.run({ sql: sql.rows!(9), signal: never() })
      const iterator = result.batches[Symbol.asyncIterator]()
      await iterator.next()
      const madeSql = "select max(read_rows) from system.processes where startsWith(query_id, 'querypost-')"
      const rowsMade = async () => Number(await warehouse.server.command(madeSql))
      let last = -1
      for (let unchanged = 0; unchanged < 20; await shortPause()) {
        const now = await rowsMade()
        unchanged = now === last ? unchanged + 1 : 0
        last = now
      }
      expect(last).toBeLessThan(10_000_000)
      await iterator.return?.()
      expect(await warehouse.statementsRunning()).toBe(0)
    })

    it('are canceled even if the server does not know them yet', async () => {
      // The gate holds the statement back, so that KILL arrives before it.
      const slow = await openGate(warehouse.server.httpPort, { isHeld: (bytes) => bytes.includes('system.numbers') })
      const stopped = warehouse.open({ settings: { port: slow.port } })
      const stop = new AbortController()
      const ended = errorOf(stopped, sql.endless!, stop.signal)
      await slow.held
      stop.abort()
      await slow.passed('KILL')
      // The first KILL matched nothing, so it is retried and the connection is kept open.
      await slow.passed('KILL')
      slow.letGo()
      expect((await ended).kind).toBe('stopped')
      expect(await warehouse.statementsRunning()).toBe(0)
      await stopped.close()
      await slow.close()
    })

    it('wait in line beyond the concurrency limit', async () => {
      const narrow = warehouse.open({ maxConnections: 1 })
      const first = await narrow.run({ sql: sql.rows!(9), signal: never() })
      const stop = new AbortController()
      const leaving = errorOf(narrow, 'select 1', stop.signal)
      const waiting = readAll(narrow, 'select 2')
      stop.abort()
      expect((await leaving).kind).toBe('stopped')
      expect(await warehouse.statementsRunning()).toBe(1)
      for await (const _ of first.batches) break
      expect((await waiting).rows).toEqual([[2]])
      await narrow.close()
    })

    it('run for a user whose read-only profile allows changing no setting', async () => {
      const locked = warehouse.open({ settings: { user: readOnlyUser.user }, password: readOnlyUser.password })
      const values = "toInt64(7), toInt64(9007199254740993), toDecimal32(1, 2), toDateTime('2026-01-05 10:00:00')"
      const { rows } = await readAll(locked, `select ${values}`)
      expect(rows).toEqual([[7, '9007199254740993', '1.00', '2026-01-05T09:00:00.000Z']])
      expect((await errorOf(locked, 'create table x (n UInt8) engine = Memory')).kind).toBe('refused')
      const stop = new AbortController()
      const ended = errorOf(locked, sql.endless!, stop.signal)
      while ((await warehouse.statementsRunning()) === 0) await pollPause()
      stop.abort()
      expect((await ended).kind).toBe('stopped')
      expect(await warehouse.statementsRunning()).toBe(0)
      await locked.close()
    })

    it('run as the user of their session, with the password of the connection', async () => {
      const itself = "select user from system.processes where query like '%itself_7%'"
      const valueFor = async (user?: string) => {
        const { batches } = await engine.run({ sql: itself, signal: never(), ...(user !== undefined && { session: { settings: [], user } }) })
        for await (const { json } of batches) return Buffer.from(json).toString()
        return undefined
      }
      expect(await valueFor()).toBe('["reader"]')
      expect(await valueFor(readOnlyUser.user)).toBe('["locked"]')
      expect(await valueFor()).toBe('["reader"]')
      for (const user of ['nobody', 'reader:x', 'a b', '']) await expect(valueFor(user), user).rejects.toThrow(EngineError)
    })
  })

  it('describes tables and views, with row counts where the table knows them', async () => {
    const { command } = warehouse.server
    await command('create database shop')
    await command(`
      create table shop.sales (id UInt64 comment 'Its number', note Nullable(String))
      engine = MergeTree order by id`)
    await command('insert into shop.sales (id) select number from numbers(1234)')
    await command('create materialized view shop.totals engine = Memory as select count() as n from shop.sales')
    const tables = (await engine.describe(never())).filter(({ schema }) => schema === 'shop')
    expect(tables).toEqual([
      {
        schema: 'shop', name: 'sales', kind: 'table', rowEstimate: 1234,
        // This version has comments only for columns.
        comment: null,
        columns: [
          { name: 'id', type: 'UInt64', nullable: false, comment: 'Its number' },
          { name: 'note', type: 'Nullable(String)', nullable: true, comment: null },
        ],
      },
      {
        schema: 'shop', name: 'totals', kind: 'view', rowEstimate: null, comment: null,
        columns: [{ name: 'n', type: 'UInt64', nullable: false, comment: null }],
      },
    ])
    await command('drop database shop')
  })

  describe('places', () => {
    const servers: { close(): unknown }[] = []
    async function listen(server: Server): Promise<number> {
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return (server.address() as AddressInfo).port
    }
    afterAll(() => {
      for (const server of servers) server.close()
    })

    const otherHosts = () => [{ host: 'other.test', port: warehouse.gate.port }]

    /** The rows from an engine that tries this port first and then the real server. */
    async function rowsWithFallback(port: number, text = 'select 42') {
      const fallback = warehouse.open({ settings: { port, otherHosts: otherHosts() } })
      try {
        return (await readAll(fallback, text)).rows
      } finally {
        await fallback.close()
      }
    }

    it('fail over when one does not listen, hangs up before it answers, or is not ClickHouse', async () => {
      expect(await rowsWithFallback(1)).toEqual([[42]])
      const hangingUp = createServer((socket) => socket.once('data', () => socket.destroy()))
      expect(await rowsWithFallback(await listen(hangingUp))).toEqual([[42]])
      const proxy = createHttpServer((_, response) => response.writeHead(502).end('<html>Bad gateway</html>'))
      expect(await rowsWithFallback(await listen(proxy))).toEqual([[42]])
    })

    it('fail over when one accepts the connection and never answers', async () => {
      const clock = manualClock()
      const heard = Promise.withResolvers<void>()
      const silent = createServer((socket) => socket.on('error', () => {}).once('data', () => heard.resolve()))
      const failingOver = warehouse.open({ clock, settings: { port: await listen(silent), otherHosts: otherHosts() } })
      const answer = readAll(failingOver, 'select 42')
      await heard.promise
      await clock.advance(10_000)
      expect((await answer).rows).toEqual([[42]])
      await failingOver.close()
    })

    it('do not fail over when one reports an error in the statement', async () => {
      await expect(rowsWithFallback(warehouse.gate.port, 'select nope')).rejects.toMatchObject({ kind: 'failed' })
    })

    it('are counted in the error when none answers', async () => {
      const nowhere = warehouse.open({ settings: { port: 1, otherHosts: [{ host: 'other.test', port: 1 }] } })
      const error = await errorOf(nowhere, 'select 1')
      expect(error.kind).toBe('unreachable')
      expect(error.message).toMatch(/^None of the 2 servers answered\. .*refused/)
      await nowhere.close()
    })

    it('are dialed only at their allowed addresses', async () => {
      const asked: string[] = []
      const careful = warehouse.open({
        settings: { host: 'closed.test', otherHosts: [{ host: 'open.test', port: warehouse.gate.port }] },
        async addressesOf({ host }) {
          asked.push(host)
          if (host === 'closed.test') throw new EngineError('unreachable', 'That address is not allowed.')
          return ['127.0.0.1']
        },
      })
      expect((await readAll(careful, 'select 42')).rows).toEqual([[42]])
      expect([...new Set(asked)]).toEqual(['closed.test', 'open.test'])
      await careful.close()
    })
  })

  describe('TLS', () => {
    async function outcome(settings: object): Promise<unknown> {
      const { httpsPort: port } = warehouse.server
      const secure = warehouse.open({ settings: { port, tls: 'verified', ...settings } })
      const answer = await readAll(secure, 'select 42').then(
        ({ rows }) => rows,
        ({ kind, message }: EngineError) => `${kind}: ${message}`,
      )
      await secure.close()
      return answer
    }

    it('connects to a server whose certificate matches the host', async () => {
      expect(await outcome({ certificateAuthority: authority.certificate })).toEqual([[42]])
    })

    it('rejects any other certificate and says why', async () => {
      expect(await outcome({})).toMatch(/^unreachable: The certificate of the database server is not valid: .*trusted/)
      const { certificate: certificateAuthority } = authority
      expect(await outcome({ certificateAuthority, host: 'other.test' })).toMatch(/for another host/)
    })

    it('can be used without verifying the certificate', async () => {
      expect(await outcome({ tls: 'encrypted' })).toEqual([[42]])
    })

    it('fails with a clear error when only one side uses TLS', async () => {
      expect(await outcome({ port: warehouse.gate.port })).toMatch(/^unreachable: /)
      expect(await outcome({ tls: 'off' })).toMatch(/^unreachable: /)
    })
  })
})
