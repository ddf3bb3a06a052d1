import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { makeAuthority } from '../../../testing/servers/certificates.ts'
import type { Answer } from '../../../testing/servers/https-receiver.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { drip, drop, flood, hang, respond, write, writeAndEnd } from '../../../testing/servers/receiver-answers.ts'
import { type Clock, systemClock } from '../clock.ts'
import { isSameAddress, openTcpSocket } from './dial-tls.ts'
import type { PostPhases } from './network.ts'
import { closeStarted, listener, network, prepareNetworkTests, receiver, to, trusted } from '../../../testing/servers/test-network.ts'

prepareNetworkTests()

const ms = expect.any(Number)
const phases = (...[connectMs, tlsMs, responseMs, bodyMs]: unknown[]) =>
  ({ connectMs, tlsMs, responseMs, bodyMs }) as PostPhases
const yesterday = new Date(Date.now() - 86_400_000)
const tomorrow = new Date(Date.now() + 86_400_000)

describe('no connection', () => {
  const failed = { kind: 'connection_failed' }

  test('if nobody listens', async () => {
    const there = await listener()
    await closeStarted()
    expect(await network().post(to(there))).toEqual({
      address: '127.0.0.1',
      phases: phases(ms, null, null, null),
      status: null,
      response: new Uint8Array(0),
      failure: failed,
    })
  })

  test('if it is closed as soon as it is open', async () => {
    const there = await listener({ onSocket: (socket) => socket.destroy() })
    expect(await network().post(to(there))).toMatchObject({ phases: phases(ms, ms, null, null), failure: failed })
    const politely = await listener({ onSocket: (socket) => socket.resume().end() })
    expect(await network().post(to(politely))).toMatchObject({ phases: phases(ms, ms, null, null), failure: failed })
  })

  test('if it goes to another address, and not a byte is sent there', async () => {
    let bytes = 0
    const elsewhere = await listener({ host: '127.0.0.3', onSocket: (socket) => socket.on('data', () => bytes++) })
    const openSocket = ({ port }: { port: number }) => openTcpSocket({ host: '127.0.0.3', port })
    const answer = await network({ openSocket }).post(to(elsewhere, { addresses: ['127.0.0.2'] }))
    expect(answer).toMatchObject({ address: '127.0.0.2', phases: phases(ms, null, null, null), failure: failed })
    await elsewhere.untilOpen(0)
    expect(bytes).toBe(0)
  })

  test.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['::ffff:127.0.0.1', '127.0.0.1', true],
    ['::ffff:7f00:1', '127.0.0.1', true],
    ['2606:4700:0:0::1', '2606:4700::1', true],
    ['127.0.0.2', '127.0.0.1', false],
    ['::1', '127.0.0.1', false],
    ['::127.0.0.1', '127.0.0.1', false],
    ['64:ff9b::7f00:1', '127.0.0.1', false],
    ['2606:4700::1%eth0', '2606:4700::1', false],
    [undefined, '127.0.0.1', false],
    ['', '127.0.0.1', false],
  ])('a connection to %s counts as one to %s: %s', (remoteAddress, address, isSame) => {
    expect(isSameAddress(remoteAddress, address)).toBe(isSame)
  })

  test('to a name, since names are not resolved here', async () => {
    const there = await receiver(respond(200))
    for (const name of ['localhost', 'hooks.example.com', '127.1', '']) {
      const answer = await network().post(to(there, { addresses: [name] }))
      expect(answer).toMatchObject({ phases: phases(null, null, null, null), failure: failed })
    }
    expect(there.connectionCount()).toBe(0)
  })

  test('without an address', async () => {
    expect(await network().post(to({ port: 1 }, { addresses: [] }))).toMatchObject({ address: null, failure: failed })
  })
})

describe('several addresses', () => {
  test('are tried in order until one accepts the connection', async () => {
    const there = await receiver(respond(200), { host: '127.0.0.3' })
    const answer = await network().post(to(there, { addresses: ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'] }))
    expect(answer).toMatchObject({ address: '127.0.0.3', status: 200 })
  })

  test('are all tried, and the last failure is reported', async () => {
    const there = await listener({ host: '127.0.0.3', onSocket: (socket) => socket.write('220 mail\r\n') })
    const answer = await network().post(to(there, { addresses: ['127.0.0.2', '127.0.0.3'] }))
    expect(answer).toMatchObject({ address: '127.0.0.3', failure: { kind: 'tls_failed' } })
  })

  test('do not wait for one that does not respond, unless it is the last', async () => {
    const clock = manualClock()
    const there = await receiver(respond(200), { host: '127.0.0.3' })
    const opened: string[] = []
    const silent: Socket[] = []
    const openSocket = (where: { host: string; port: number }) => {
      opened.push(where.host)
      if (where.host === '127.0.0.3') return openTcpSocket(where)
      silent.push(new Socket())
      return silent.at(-1)!
    }
    const here = network({ clock, openSocket, dialLimitMs: 3000 })
    const answering = here.post(to(there, { addresses: ['127.0.0.2', '127.0.0.3'] }))
    await clock.advance(2999)
    expect(opened).toEqual(['127.0.0.2'])
    await clock.advance(1)
    expect(await answering).toMatchObject({ address: '127.0.0.3', status: 200 })
    expect(silent.map((socket) => socket.destroyed)).toEqual([true])

    const abort = new AbortController()
    const waiting = here.post(to(there, { connectionsOf: 'we_2', addresses: ['127.0.0.2'], signal: abort.signal }))
    await clock.advance(60_000)
    abort.abort()
    expect(await waiting).toMatchObject({ phases: phases(60_000, null, null, null), failure: { kind: 'aborted' } })
    expect(silent.map((socket) => socket.destroyed)).toEqual([true, true])
  })

  test('are no longer tried once a request may have been sent', async () => {
    const first = await receiver(drop, { host: '127.0.0.2' })
    const second = await receiver(respond(200), { host: '127.0.0.3', port: first.port })
    const answer = await network().post(to(first, { addresses: ['127.0.0.2', '127.0.0.3'] }))
    expect(answer).toMatchObject({ address: '127.0.0.2', failure: { kind: 'response_broken' } })
    expect(second.connectionCount()).toBe(0)
  })
})

describe('TLS', () => {
  const names = ['hooks.example.com']
  test.each([
    ['CERT_HAS_EXPIRED', () => trusted().issue({ names, notAfter: yesterday, notBefore: new Date(0) })],
    ['CERT_NOT_YET_VALID', () => trusted().issue({ names, notBefore: tomorrow })],
    ['ERR_TLS_CERT_ALTNAME_INVALID', () => trusted().issue({ names: ['127.0.0.1', 'example.com', 'a.hooks.example.com'] })],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', async () => (await makeAuthority('Nobody')).issue({ names })],
  ])('fails with %s before a request is sent', async (detail, issue) => {
    const there = await receiver(respond(200), await issue())
    expect(await network().post(to(there))).toEqual({
      address: '127.0.0.1',
      phases: phases(ms, ms, null, null),
      status: null,
      response: new Uint8Array(0),
      failure: { kind: 'tls_failed', detail },
    })
    await there.untilOpen(0)
    expect(there.requests).toEqual([])
  })

  test('fails for an address that the certificate does not include', async () => {
    const there = await receiver(respond(200), await trusted().issue({ names: ['127.0.0.2', 'hooks.example.com'] }))
    expect(await network().post(to(there, { hostname: '127.0.0.1' }))).toMatchObject({
      failure: { kind: 'tls_failed', detail: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    })
  })

  test('fails if another protocol is spoken', async () => {
    const there = await listener({ onSocket: (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n') })
    expect(await network().post(to(there))).toMatchObject({
      phases: phases(ms, ms, null, null),
      failure: { kind: 'tls_failed', detail: expect.stringMatching(/^ERR_SSL_/) },
    })
    await there.untilOpen(0)
  })
})

describe('a broken response', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n'
  const closing = 'HTTP/1.1 200 OK\r\nConnection: close\r\n'
  const broken: [string, Answer][] = [
    ['none', drop],
    ['none, in good order', writeAndEnd()],
    ['cut in its first line', writeAndEnd('HTTP/1.1 2')],
    ['cut in its headers', writeAndEnd('HTTP/1.1 200 OK\r\nContent-Le')],
    ['cut in its body', writeAndEnd('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello')],
    ['cut in its body, closing', writeAndEnd(`${closing}Content-Length: 10\r\n\r\nhello`)],
    ['cut in its chunks', writeAndEnd(`${chunked}\r\n5\r\nhello\r\n`)],
    ['cut in a chunk, closing', writeAndEnd(`${chunked}Connection: close\r\n\r\n9\r\nhello`)],
    ['cut after a 100', writeAndEnd('HTTP/1.1 100 Continue\r\n\r\n')],
    ['with a wrong length', writeAndEnd('HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n')],
    ['with two lengths', writeAndEnd('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab')],
    ['with a length and chunks', writeAndEnd(`${chunked}Content-Length: 1\r\n\r\n0\r\n\r\n`)],
    ['with a wrong chunk', writeAndEnd(`${chunked}\r\nzz\r\nhello\r\n0\r\n\r\n`)],
    ['no HTTP', write('+OK ready\r\n')],
    ['no HTTP, and short', write('hi')],
    ['HTTP/2', write('HTTP/2 200\r\n\r\n')],
    ['a change of protocol', write('HTTP/1.1 101 Switch\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')],
    ['of headers without an end', flood('HTTP/1.1 200 OK\r\n', 'A: b\r\n')],
    ['of one header without an end', flood('HTTP/1.1 200 OK\r\nA: ', 'b')],
  ]
  test.each(broken)('is not an answer: %s', async (_name, answer) => {
    const there = await receiver(answer)
    const given = await network().post(to(there))
    expect(given).toMatchObject({ address: '127.0.0.1', status: null, failure: { kind: 'response_broken' } })
    expect(given.phases).toMatchObject({ connectMs: ms, tlsMs: ms, responseMs: ms })
    expect(there.requests).toHaveLength(1)
    await there.untilOpen(0)
  })

  test('returns the received part of the body, and the phases it had', async () => {
    const there = await receiver(writeAndEnd('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello'))
    const answer = await network().post(to(there))
    expect(answer.phases).toEqual(phases(ms, ms, ms, ms))
    expect(Buffer.from(answer.response).toString()).toBe('hello')
  })
})

/** The system's clock, with a callback at the n-th call. */
function clockWith(look: number, happen: () => void): Clock {
  let looks = 0
  return {
    ...systemClock,
    monotonicMs() {
      if (++looks === look) happen()
      return systemClock.monotonicMs()
    },
  }
}

describe('an abort', () => {
  const aborted = { kind: 'aborted' }

  test('beforehand opens nothing', async () => {
    const there = await receiver(respond(200))
    const answer = await network().post(to(there, { signal: AbortSignal.abort() }))
    expect(answer).toMatchObject({ address: null, phases: phases(null, null, null, null), failure: aborted })
    expect(there.connectionCount()).toBe(0)
  })

  test('ends the handshake', async () => {
    const abort = new AbortController()
    const there = await listener({ onSocket: (socket) => socket.on('data', () => abort.abort()) })
    const answer = await network().post(to(there, { signal: abort.signal, addresses: ['127.0.0.1', '127.0.0.2'] }))
    expect(answer).toMatchObject({ address: '127.0.0.1', phases: phases(ms, ms, null, null), failure: aborted })
    await there.untilOpen(0)
  })

  test.each<[string, Answer, PostPhases]>([
    ['waiting for a response', hang, phases(ms, ms, ms, null)],
    ['headers that drip', drip('HTTP/1.1 200 OK\r\n', 'A: b\r\n'), phases(ms, ms, ms, null)],
    ['a head that drips', drip('HTTP/1.1 ', ' '), phases(ms, ms, ms, null)],
    ['informational responses that drip', drip('', 'HTTP/1.1 103 Hints\r\n\r\n'), phases(ms, ms, ms, null)],
  ])('ends %s', async (_name, answer, expected) => {
    const there = await receiver(answer)
    const abort = new AbortController()
    const answering = network().post(to(there, { signal: abort.signal }))
    await there.untilReceived(1)
    abort.abort()
    expect(await answering).toMatchObject({ status: null, phases: expected, failure: aborted })
    await there.untilOpen(0)
  })

  test('ends an endless body, and returns what was received', async () => {
    const abort = new AbortController()
    const there = await receiver(drip('HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nhello', '!'))
    const headersAreRead = 6
    const clock = clockWith(headersAreRead, () => queueMicrotask(() => abort.abort()))
    const answer = await network({ clock }).post(to(there, { signal: abort.signal }))
    expect(answer).toMatchObject({ status: null, phases: phases(ms, ms, ms, ms), failure: aborted })
    expect(Buffer.from(answer.response).toString()).toMatch(/^hello!*$/)
    await there.untilOpen(0)
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('at clock call %i leaves no connection behind', async (look) => {
    const abort = new AbortController()
    const clock = clockWith(look, () => abort.abort())
    const there = await receiver(respond(200, 'ok'))
    const answer = await network({ clock }).post(to(there, { signal: abort.signal }))
    expect(abort.signal.aborted).toBe(true)
    // If the response was complete by then, it is the answer, and the connection can be reused.
    const isAnswered = answer.failure === null
    expect([answer.status, answer.failure]).toEqual(isAnswered ? [200, null] : [null, aborted])
    await there.untilOpen(isAnswered ? 1 : 0)
  })

  test('leaves no listeners on the signal', async () => {
    const there = await receiver(respond(200))
    const { signal } = new AbortController()
    const listeners = new Set<unknown>()
    const added = signal.addEventListener.bind(signal)
    const removed = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof added>) => {
      listeners.add(args[1])
      added(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removed>) => {
      listeners.delete(args[1])
      removed(...args)
    }
    const here = network()
    await here.post(to(there, { signal }))
    await here.post(to(there, { signal }))
    expect(listeners.size).toBe(0)
  })
})
