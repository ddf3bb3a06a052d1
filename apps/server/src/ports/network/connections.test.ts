import { describe, expect, test } from 'vitest'
import type { Answer, Received } from '../../../testing/servers/https-receiver.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { drop, hang, respond, writeAndEnd } from '../../../testing/servers/receiver-answers.ts'
import { openTcpSocket } from './dial-tls.ts'
import { closeStarted, listener, network, prepareNetworkTests, receiver, to } from '../../../testing/servers/test-network.ts'

prepareNetworkTests()

/** The connection of each request so far. */
const connectionsOf = ({ requests }: { requests: Received[] }) => requests.map(({ connection }) => connection)

describe('a connection is reused', () => {
  test('by the same endpoint, without connecting again', async () => {
    const there = await receiver(respond(200, 'ok'))
    const here = network()
    const first = await here.post(to(there))
    const second = await here.post(to(there))
    expect(connectionsOf(there)).toEqual([0, 0])
    expect(first.phases).toEqual({
      connectMs: expect.any(Number),
      tlsMs: expect.any(Number),
      responseMs: expect.any(Number),
      bodyMs: expect.any(Number),
    })
    expect(second).toMatchObject({ address: '127.0.0.1', status: 200 })
    expect(second.phases).toEqual({
      connectMs: null,
      tlsMs: null,
      responseMs: expect.any(Number),
      bodyMs: expect.any(Number),
    })
  })

  test('never by another endpoint', async () => {
    const there = await receiver(respond(200))
    const here = network()
    for (const endpoint of ['we_1', 'we_2', 'we_1', 'we_2']) await here.post(to(there, { connectionsOf: endpoint }))
    expect(connectionsOf(there)).toEqual([0, 1, 0, 1])
  })

  test('never for another name', async () => {
    const there = await receiver(respond(200))
    const here = network()
    const hostnames = ['hooks.example.com', 'other.example.com', '127.0.0.1']
    for (const hostname of hostnames) await here.post(to(there, { hostname }))
    expect(connectionsOf(there)).toEqual([0, 1, 2])
  })

  test('never for an address it does not go to', async () => {
    const there = await receiver(respond(200), { host: '0.0.0.0' })
    const here = network()
    for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.2']) {
      expect(await here.post(to(there, { addresses: [address] }))).toMatchObject({ address, status: 200 })
    }
    expect(connectionsOf(there)).toEqual([0, 1, 0])
    // A kept connection to any of the addresses is better than a new one.
    const answer = await here.post(to(there, { addresses: ['127.0.0.4', '127.0.0.3'] }))
    expect(answer).toMatchObject({ address: '127.0.0.3' })
    expect(connectionsOf(there)).toEqual([0, 1, 0, 1])
  })

  test('by one request at a time', async () => {
    const waiting: (() => void)[] = []
    const there = await receiver((socket) => waiting.push(() => respond(200)(socket)))
    const here = network()
    const round = async (count: number, received: number) => {
      const answers = Promise.all(Array.from({ length: count }, () => here.post(to(there))))
      await there.untilReceived(received)
      for (const answer of waiting.splice(0)) answer()
      return answers
    }
    await round(8, 8)
    expect(new Set(connectionsOf(there)).size).toBe(8)
    await round(8, 16)
    expect(there.connectionCount()).toBe(8)
  })

  test('unless the receiver closes it', async () => {
    const there = await receiver(writeAndEnd('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'))
    const here = network()
    await here.post(to(there))
    await here.post(to(there))
    expect(connectionsOf(there)).toEqual([0, 1])
  })

  test('unless unsolicited data arrived on it', async () => {
    const unasked = 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n'
    const there = await receiver({ by: ({ connection }) => respond(200, '', {}, connection === 0 ? unasked : '') })
    const here = network()
    expect(await here.post(to(there))).toMatchObject({ status: 200 })
    expect(await here.post(to(there))).toMatchObject({ status: 200 })
    expect(connectionsOf(there)).toEqual([0, 1])
  })

  test('unless something arrives while it is kept', async () => {
    let late = () => {}
    const there = await receiver((socket) => {
      respond(200)(socket)
      late = () => socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    })
    const here = network()
    await here.post(to(there))
    late()
    await there.untilOpen(0)
    expect(await here.post(to(there))).toMatchObject({ status: 200 })
    expect(connectionsOf(there)).toEqual([0, 1])
  })
})

describe('a kept connection', () => {
  test('is closed when unused', async () => {
    const there = await receiver(respond(200))
    await network({ idleMs: 10 }).post(to(there))
    await there.untilOpen(0)
    expect(there.connectionCount()).toBe(1)
  })

  test('is not reused after its idle time, or when it is too old', async () => {
    const clock = manualClock()
    const there = await receiver(respond(200))
    const here = network({ clock, idleMs: 30_000, maxAgeMs: 60_000 })
    const after = async (waitMs: number) => {
      clock.leap(waitMs)
      await here.post(to(there))
    }
    await after(0)
    await after(29_999)
    expect(connectionsOf(there)).toEqual([0, 0])
    await after(30_000)
    expect(connectionsOf(there)).toEqual([0, 0, 1])
    await after(20_000)
    await after(20_000)
    await after(20_000)
    expect(connectionsOf(there)).toEqual([0, 0, 1, 1, 1, 2])
    await there.untilOpen(1)
  })

  test('makes room for another when there are too many', async () => {
    const there = await receiver(respond(200))
    const here = network({ maxKept: 2 })
    for (const endpoint of ['we_1', 'we_2', 'we_1', 'we_3']) await here.post(to(there, { connectionsOf: endpoint }))
    await there.untilOpen(2)
    for (const endpoint of ['we_1', 'we_3', 'we_2']) await here.post(to(there, { connectionsOf: endpoint }))
    expect(connectionsOf(there)).toEqual([0, 1, 0, 2, 0, 2, 3])
  })

  test('can be closed by the receiver without harm', async () => {
    const there = await receiver(respond(200))
    const here = network()
    await here.post(to(there))
    there.dropConnections()
    await there.untilOpen(0)
    expect(await here.post(to(there))).toMatchObject({ status: 200, failure: null })
    expect(connectionsOf(there)).toEqual([0, 1])
  })
})

describe('a kept connection that ends as it is reused', () => {
  const inTurn = (...answers: Answer[]) => ({ by: () => answers.shift() ?? hang })

  test('is replaced by a new one, once', async () => {
    const there = await receiver(inTurn(respond(200), drop, respond(201)))
    const here = network()
    await here.post(to(there))
    const answer = await here.post(to(there))
    expect(answer).toMatchObject({ status: 201, failure: null })
    expect(answer.phases.connectMs).toEqual(expect.any(Number))
    expect(connectionsOf(there)).toEqual([0, 0, 1])
    expect(there.requests[2]!.body).toEqual(there.requests[1]!.body)
  })

  test('is not replaced twice', async () => {
    const there = await receiver(inTurn(respond(200), drop, drop, respond(200)))
    const here = network()
    await here.post(to(there))
    expect(await here.post(to(there))).toMatchObject({ status: null, failure: { kind: 'response_broken' } })
    expect(connectionsOf(there)).toEqual([0, 0, 1])
  })

  test('is not replaced by another kept one', async () => {
    const waiting: (() => void)[] = []
    let isOpen = false
    const there = await receiver((socket) => {
      if (isOpen) drop(socket)
      else waiting.push(() => respond(200)(socket))
    })
    const here = network()
    const both = Promise.all([here.post(to(there)), here.post(to(there))])
    await there.untilReceived(2)
    isOpen = true
    for (const answer of waiting) answer()
    await both
    expect(await here.post(to(there))).toMatchObject({ failure: { kind: 'response_broken' } })
    expect(connectionsOf(there).at(-1)).toBe(2)
  })

  test('is not replaced if any part of a response has arrived', async () => {
    for (const start of ['H', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab']) {
      const there = await receiver(inTurn(respond(200), writeAndEnd(start)))
      const here = network()
      await here.post(to(there))
      expect(await here.post(to(there))).toMatchObject({ status: null, failure: { kind: 'response_broken' } })
      expect(connectionsOf(there)).toEqual([0, 0])
    }
  })

  test('is not replaced after an abort', async () => {
    const abort = new AbortController()
    const there = await receiver(
      inTurn(respond(200), () => {
        abort.abort()
      }),
    )
    const here = network()
    await here.post(to(there))
    expect(await here.post(to(there, { signal: abort.signal }))).toMatchObject({ failure: { kind: 'aborted' } })
    await there.untilOpen(0)
    expect(connectionsOf(there)).toEqual([0, 0])
  })

  test('fails with the error of its replacement', async () => {
    const there = await receiver(inTurn(respond(200), drop))
    let isGone = false
    const gone = await listener({ host: '127.0.0.9' })
    const here = network({ openSocket: (where) => openTcpSocket(isGone ? { ...where, port: gone.port } : where) })
    await here.post(to(there))
    isGone = true
    const answer = await here.post(to(there))
    expect(answer).toMatchObject({ failure: { kind: 'connection_failed' } })
    expect(answer.phases).toEqual({ connectMs: expect.any(Number), tlsMs: null, responseMs: null, bodyMs: null })
  })
})

describe('a kept connection on which something arrives as it is reused', () => {
  test('is replaced by a new one, because that was not an answer', async () => {
    let late = () => {}
    const there = await receiver((socket) => {
      respond(200)(socket)
      late = () => socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n')
    })
    const here = network()
    await here.post(to(there))
    // From here on, sockets are read first, and only then is the request written.
    await new Promise((resolve) => setImmediate(resolve))
    late()
    expect(await here.post(to(there))).toMatchObject({ status: 200, failure: null })
    expect(connectionsOf(there)).toEqual([0, 1])
  })
})

describe('closing', () => {
  /** In this process, where other tests have left some that end by themselves. */
  const openConnections = () =>
    process.getActiveResourcesInfo().filter((name) => /TCPSocket|TLS|UDP|Ares/i.test(name)).length

  test('ends active and kept connections, and starts nothing afterwards', async () => {
    const before = openConnections()
    const there = await receiver({ by: ({ path }) => (path === '/hang' ? hang : respond(200)) })
    const silent = await listener()
    const here = network()
    await here.post(to(there))
    const hanging = here.post(to(there, { url: new URL(`https://hooks.example.com:${there.port}/hang`) }))
    const connecting = here.post(to(silent))
    await there.untilReceived(2)
    await here.close()
    expect(await hanging).toMatchObject({ failure: { kind: 'aborted' } })
    expect(await connecting).toMatchObject({ failure: { kind: 'aborted' } })
    await there.untilOpen(0)
    await silent.untilOpen(0)
    expect(await here.post(to(there))).toMatchObject({ address: null, failure: { kind: 'aborted' } })
    expect(there.connectionCount()).toBe(1)
    await closeStarted()
    expect(openConnections()).toBeLessThanOrEqual(before)
  })
})
