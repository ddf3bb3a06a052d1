import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '../../ports/log.ts'
import { type Authority, makeAuthority } from '../../../testing/servers/certificates.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { hasMariadb } from '../../../testing/servers/mariadb-server.ts'
import { errorOf, readAll } from '../../../testing/engines/engine-conformance.ts'
import type { Engine } from '../engine.ts'
import type { ServerOptions } from '../server-options.ts'
import type { ServerSettings } from '../../model/server-settings.ts'
import { startWarehouse, type Warehouse } from '../../../testing/engines/mysql-warehouse.ts'

describe.skipIf(!hasMariadb)('a connection of the MySQL engine, to MariaDB', () => {
  let warehouse: Warehouse
  let authority: Authority
  const engines: Engine[] = []

  beforeAll(async () => {
    authority = await makeAuthority()
    warehouse = await startWarehouse({ tls: await authority.issue({ names: ['warehouse.test', '127.0.0.1'] }) })
  })

  afterAll(async () => {
    await Promise.all(engines.map((engine) => engine.close()))
    await warehouse.stop()
  })

  function open(change: Partial<ServerSettings>, options: Partial<ServerOptions> = {}): Engine {
    const engine = warehouse.open(change, options)
    engines.push(engine)
    return engine
  }

  const cipherOf = async (engine: Engine) =>
    (await readAll(engine, "show session status like 'Ssl_cipher'")).rows[0]![1]
  const unreachable = (text: string) => ({ kind: 'unreachable', message: expect.stringContaining(text) })

  /** Accepts connections and never sends anything. */
  async function silentServer() {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return {
      port: (server.address() as AddressInfo).port,
      sockets,
      close() {
        for (const socket of sockets) socket.destroy()
        server.close()
      },
    }
  }

  /** A proxy that can be frozen: it then forwards nothing but keeps its connections open. */
  async function freezableProxy(port: number) {
    const sockets = new Set<Socket>()
    let isFrozen = false
    const server = createServer((socket) => {
      const upstream = connect(port, '127.0.0.1')
      for (const [from, to] of [[socket, upstream], [upstream, socket]] as const) {
        sockets.add(from)
        from.on('error', () => {}).on('data', (data) => isFrozen || to.write(data))
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return {
      port: (server.address() as AddressInfo).port,
      freeze: () => (isFrozen = true),
      close() {
        for (const socket of sockets) socket.destroy()
        server.close()
      },
    }
  }

  describe('with TLS', () => {
    it('is unencrypted when off, and encrypted without verification when on', async () => {
      expect(await cipherOf(open({ tls: 'off' }))).toBe('')
      expect(await cipherOf(open({ tls: 'encrypted', host: 'somebody.else.test' }))).toMatch(/^TLS_/)
    })

    it('verifies the certificate against the host name, or the address if the host is one', async () => {
      const verified = { tls: 'verified', certificateAuthority: authority.certificate } as const
      expect(await cipherOf(open({ ...verified, host: 'warehouse.test' }))).toMatch(/^TLS_/)
      expect(await cipherOf(open({ ...verified, host: '127.0.0.1' }))).toMatch(/^TLS_/)
      for (const host of ['somebody.else.test', 'localhost', '127.0.0.2']) {
        const error = await errorOf(open({ ...verified, host }), 'select 1')
        expect(error, host).toMatchObject(unreachable('TLS handshake'))
      }
    })

    it('rejects an untrusted certificate', async () => {
      const unknownAuthority = await makeAuthority('A unknownAuthority')
      for (const certificateAuthority of [null, unknownAuthority.certificate]) {
        const engine = open({ tls: 'verified', host: 'warehouse.test', certificateAuthority })
        expect(await errorOf(engine, 'select 1')).toMatchObject(unreachable('TLS handshake'))
      }
    })
  })

  it('resolves the host for every connection and uses only those addresses', async () => {
    const asked: string[] = []
    const addressesOf = async ({ host }: { host: string }) => {
      asked.push(host)
      return ['127.0.0.1']
    }
    const engine = open({ host: 'no.such.host.test' }, { addressesOf })
    await Promise.all([readAll(engine, 'select sleep(0.01)'), readAll(engine, 'select sleep(0.01)')])
    expect(asked).toEqual(['no.such.host.test', 'no.such.host.test'])
  })

  it('tries the addresses and then the other hosts until one accepts it', async () => {
    const elsewhere = { host: 'warehouse.test', port: warehouse.server.port }
    const addressesOf = async ({ host }: { host: string }) => {
      if (host === 'gone.test') throw new Error('no such host')
      return host === 'warehouse.test' ? ['127.0.0.9', '127.0.0.1'] : ['127.0.0.1']
    }
    // Nothing listens on port 1.
    const otherHosts = [{ host: 'gone.test', port: 1 }, { host: 'closed.test', port: 1 }, elsewhere]
    const engine = open({ host: 'closed.test', port: 1, otherHosts }, { addressesOf })
    expect((await readAll(engine, 'select 42')).rows).toEqual([[42]])
    const nowhere = open({ host: 'closed.test', port: 1, otherHosts: otherHosts.slice(0, 2) }, { addressesOf })
    expect(await errorOf(nowhere, 'select 1')).toMatchObject(unreachable('refused'))
  })

  it('does not try a wrong password on every host', async () => {
    const asked: string[] = []
    const engine = open(
      { otherHosts: [{ host: 'second.test', port: warehouse.server.port }] },
      {
        password: 'wrong',
        addressesOf: async ({ host }) => {
          asked.push(host)
          return ['127.0.0.1']
        },
      },
    )
    const { message } = await errorOf(engine, 'select 1')
    expect(message).toBe("Access denied for user 'reader' (using password: YES). Check the user and the password.")
    expect(asked).toEqual(['127.0.0.1'])
  })

  it('is abandoned after ten seconds without an answer, or at once when stopped', async () => {
    const silent = await silentServer()
    const clock = manualClock()
    const engine = open({ port: silent.port }, { clock })
    const slow = errorOf(engine, 'select 1')
    while (silent.sockets.size < 1) await pollPause()
    await clock.advance(10_000)
    expect(await slow).toMatchObject(unreachable('did not answer'))

    const stop = new AbortController()
    const unwanted = errorOf(engine, 'select 1', stop.signal)
    while (silent.sockets.size < 2) await pollPause()
    stop.abort()
    expect((await unwanted).kind).toBe('stopped')
    silent.close()
  })

  it('is abandoned when the network drops it silently, so stopping its statement does not hang', async () => {
    const wire = await freezableProxy(warehouse.server.port)
    const clock = manualClock()
    const engine = open({ port: wire.port }, { clock })
    await Promise.all([readAll(engine, 'select 1'), readAll(engine, 'select 2')])
    const isOurs = "user = 'reader' and info = 'select sleep(601)'"
    const listed = () => warehouse.server.rows(`select id from information_schema.processlist where ${isOurs}`)
    const stop = new AbortController()
    let error: unknown
    const ended = errorOf(engine, 'select sleep(601)', stop.signal).then((reason) => (error = reason))
    while ((await listed()).length === 0) await pollPause()
    wire.freeze()
    stop.abort()
    for (let seconds = 0; seconds < 60 && !error; seconds++) {
      await clock.advance(1000)
      await pollPause()
    }
    await ended
    expect(error).toMatchObject({ kind: 'stopped' })
    for (const [id] of await listed()) await warehouse.server.rows(`kill ${String(id)}`).catch(() => {})
    wire.close()
  })

  it('is closed even if its statement cannot be stopped, and logs a warning', async () => {
    await warehouse.setUp([
      "create user single@'%' with max_user_connections 1",
      "grant select on shop.* to single@'%'",
    ])
    const warnings: unknown[] = []
    const log = { debug() {}, warn: (_: object, message: string) => warnings.push(message) } as unknown as Log
    const engine = open({ user: 'single' }, { password: null, log })
    const isOurs = "user = 'single' and info like '%sleep%'"
    const listed = () => warehouse.server.rows(`select id from information_schema.processlist where ${isOurs}`)
    const stop = new AbortController()
    const ended = errorOf(engine, 'select sleep(600)', stop.signal)
    while ((await listed()).length === 0) await pollPause()
    stop.abort()
    expect((await ended).kind).toBe('stopped')
    expect(warnings).toEqual(['statement cancellation failed'])
    for (const [id] of await listed()) await warehouse.server.rows(`kill ${String(id)}`).catch(() => {})
  })
})
