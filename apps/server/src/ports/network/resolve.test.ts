import { afterEach, describe, expect, test } from 'vitest'
import { type DnsReply, type DnsServer, startDnsServer } from '../../../testing/servers/dns-server.ts'
import { NameError } from './network.ts'
import { makeResolver, type Resolver } from './resolve.ts'

const started: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of started.splice(0).toReversed()) await close()
})

type Replies = Record<'A' | 'AAAA', DnsReply | null>

async function asking(
  reply: Replies | Parameters<typeof startDnsServer>[0],
): Promise<{ server: DnsServer; resolver: Resolver }> {
  const server = await startDnsServer(typeof reply === 'function' ? reply : ({ type }) => reply[type])
  const resolver = makeResolver({ dnsServers: [server.address] })
  started.push(() => server.close(), () => resolver.close())
  return { server, resolver }
}

const { signal } = new AbortController()
const outcome = (answer: Promise<string[]>) =>
  answer.catch((error: unknown) => (error instanceof NameError ? { isFinal: error.isFinal } : error))

describe('a name is resolved', () => {
  test('to all addresses of both families', async () => {
    const { server, resolver } = await asking({
      A: { addresses: ['192.0.2.1', '10.0.0.1'] },
      AAAA: { addresses: ['2001:db8::1', 'fd00::1'] },
    })
    const answers = await resolver.resolve('hooks.example.com', signal)
    expect(answers.toSorted()).toEqual(['10.0.0.1', '192.0.2.1', '2001:db8::1', 'fd00::1'])
    expect(server.asked.toSorted()).toEqual(['hooks.example.com A', 'hooks.example.com AAAA'])
  })

  test('if it has only one family, and through aliases', async () => {
    const { resolver } = await asking(({ name, type }) => {
      if (type === 'A') return { alias: 'b.example.net', addresses: ['192.0.2.1'] }
      return name === 'odd.example.com' ? { code: 'NXDOMAIN' } : {}
    })
    expect(await resolver.resolve('hooks.example.com', signal)).toEqual(['192.0.2.1'])
    // If they lack one family, some servers say that the whole name does not exist.
    expect(await resolver.resolve('odd.example.com', signal)).toEqual(['192.0.2.1'])
  })

  test('again each time, whatever its time to live', async () => {
    const { resolver } = await asking(({ type, number }) => (type === 'A' ? { addresses: [`192.0.2.${number}`] } : {}))
    for (const expected of ['192.0.2.0', '192.0.2.1', '192.0.2.2']) {
      expect(await resolver.resolve('hooks.example.com', signal)).toEqual([expected])
    }
  })

  test('once for all concurrent requests', async () => {
    const { server, resolver } = await asking({ A: { addresses: ['192.0.2.1'] }, AAAA: {} })
    const answers = await Promise.all(Array.from({ length: 50 }, () => resolver.resolve('hooks.example.com', signal)))
    expect(new Set(answers.flat())).toEqual(new Set(['192.0.2.1']))
    expect(server.asked).toHaveLength(2)
  })

  test("literally, without this machine's search domains and hosts file", async () => {
    const { server, resolver } = await asking({ A: { code: 'NXDOMAIN' }, AAAA: { code: 'NXDOMAIN' } })
    for (const name of ['localhost', 'hooks', 'hooks.example.com', 'hooks.example.com.']) {
      expect(await outcome(resolver.resolve(name, signal)), name).toEqual({ isFinal: true })
    }
    const names = new Set(server.asked.map((line) => line.split(' ')[0]))
    expect(names).toEqual(new Set(['localhost', 'hooks', 'hooks.example.com']))
  })
})

describe('a name is not resolved', () => {
  const found = { addresses: ['192.0.2.1'] }
  const found6 = { addresses: ['2001:db8::1'] }
  test.each<[string, Replies, boolean]>([
    ['that does not exist', { A: { code: 'NXDOMAIN' }, AAAA: { code: 'NXDOMAIN' } }, true],
    ['that has no address', { A: {}, AAAA: {} }, true],
    ['that has no address of one family and does not exist for the other', { A: {}, AAAA: { code: 'NXDOMAIN' } }, true],
    ['whose alias has no address', { A: { alias: 'b.example.net' }, AAAA: { alias: 'b.example.net' } }, true],
    ['whose server fails', { A: { code: 'SERVFAIL' }, AAAA: { code: 'SERVFAIL' } }, false],
    ['whose server fails for IPv4', { A: { code: 'SERVFAIL' }, AAAA: found6 }, false],
    ['whose server fails for IPv6', { A: found, AAAA: { code: 'SERVFAIL' } }, false],
    ['whose server fails for IPv6, without an IPv4 address', { A: {}, AAAA: { code: 'SERVFAIL' } }, false],
    ['whose server refuses', { A: { code: 'REFUSED' }, AAAA: found6 }, false],
    ['whose answer is cut off', { A: { ...found, isTruncated: true }, AAAA: {} }, false],
    ['whose IPv6 answer is cut off', { A: found, AAAA: { isTruncated: true } }, false],
  ])('%s', async (_name, replies, isFinal) => {
    const { resolver } = await asking(replies)
    expect(await outcome(resolver.resolve('hooks.example.com', signal))).toEqual({ isFinal })
  })

  test('that is not a valid name', async () => {
    const { server, resolver } = await asking({ A: found, AAAA: found6 })
    expect(await outcome(resolver.resolve(`${'a'.repeat(64)}.example.com`, signal))).toEqual({ isFinal: true })
    expect(server.asked).toEqual([])
  })

  test('if there is no server', async () => {
    const server = await startDnsServer(() => null)
    await server.close()
    const resolver = makeResolver({ dnsServers: [server.address] })
    expect(await outcome(resolver.resolve('hooks.example.com', signal))).toEqual({ isFinal: false })
  })
})

describe('waiting for an answer ends', () => {
  test('with the signal, for its own caller only', async () => {
    const late = Promise.withResolvers<DnsReply>()
    const { server, resolver } = await asking(({ type }) => (type === 'A' ? late.promise : {}))
    const abort = new AbortController()
    const impatient = resolver.resolve('hooks.example.com', abort.signal)
    const patient = resolver.resolve('hooks.example.com', signal)
    abort.abort()
    expect(await outcome(impatient)).toEqual({ isFinal: false })
    late.resolve({ addresses: ['192.0.2.1'] })
    expect(await patient).toEqual(['192.0.2.1'])
    expect(server.asked).toHaveLength(2)
  })

  test('before it began', async () => {
    const { server, resolver } = await asking({ A: {}, AAAA: {} })
    expect(await outcome(resolver.resolve('hooks.example.com', AbortSignal.abort()))).toEqual({ isFinal: false })
    expect(server.asked).toEqual([])
  })

  test('if there is no answer, or no valid one', async () => {
    for (const reply of [null, { garbage: Buffer.from('hello') }]) {
      const { resolver } = await asking({ A: reply, AAAA: { addresses: ['2001:db8::1'] } })
      const abort = new AbortController()
      const waiting = outcome(resolver.resolve('hooks.example.com', abort.signal))
      abort.abort()
      expect(await waiting).toEqual({ isFinal: false })
    }
  })

  test('when the resolver is closed', async () => {
    const { server, resolver } = await asking(() => null)
    const waiting = outcome(resolver.resolve('hooks.example.com', signal))
    resolver.close()
    expect(await waiting).toEqual({ isFinal: false })
    expect(await outcome(resolver.resolve('hooks.example.com', signal))).toEqual({ isFinal: false })
    expect(server.asked.length).toBeLessThanOrEqual(2)
  })
})
