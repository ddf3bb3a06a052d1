import { describe, expect, test } from 'vitest'
import { listener, network, prepareNetworkTests, receiver, to } from '../../../../testing/servers/test-network.ts'
import { type DnsReply, type DnsServer, startDnsServer } from '../../../../testing/servers/dns-server.ts'
import { respond } from '../../../../testing/servers/receiver-answers.ts'
import { checkEndpointUrl, parseAllowedNetworks } from './endpoint-addresses.ts'

/**
 * The owner of a name decides what it resolves to, and may decide differently each time. Here a real DNS server does its worst, and
 * a socket listening on loopback shows whether anything got through.
 */
prepareNetworkTests()

const publicAddress = '93.184.215.14'

/** One attempt as made for a delivery: check, and post only to the checked addresses. */
async function attempting({ reply, allowed = '' }: { reply: Parameters<typeof startDnsServer>[0]; allowed?: string }) {
  const server: DnsServer = await startDnsServer(reply)
  const here = network({ dnsServers: [server.address] })
  const parsed = parseAllowedNetworks(allowed)
  if ('fault' in parsed) throw new Error(parsed.fault)
  const rules = { ownUrl: new URL('https://querypost.example.net'), allowedNetworks: parsed.networks }
  const check = (port: number, signal = new AbortController().signal) =>
    checkEndpointUrl({ network: here, rules }, `https://hooks.example.com:${port}/`, signal)
  return {
    server,
    here,
    check,
    async attempt(port: number) {
      const checked = await check(port)
      return 'fault' in checked ? checked : here.post(to({ port }, { addresses: checked.addresses }))
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

const inTurn =
  (...replies: DnsReply[]) =>
  ({ type, number }: { type: string; number: number }): DnsReply =>
    type === 'A' ? replies[number]! : {}

describe('a name whose address changes', () => {
  test('passes when saved, and is rejected at the next attempt', async () => {
    const inside = await listener()
    const reply = inTurn({ addresses: [publicAddress] }, { addresses: ['127.0.0.1'] })
    await using world = await attempting({ reply })
    expect(await world.check(inside.port)).toMatchObject({ addresses: [publicAddress] })
    expect(await world.attempt(inside.port)).toEqual({
      fault: 'This address is not publicly routable: loopback (127.0.0.0/8).',
      layer: 'address',
    })
    expect(inside.connectionCount()).toBe(0)
  })

  test('is not resolved again between the check and the connection', async () => {
    const inside = await listener({ host: '127.0.0.1' })
    const there = await receiver(respond(200), { host: '127.0.0.2', port: inside.port })
    const reply = inTurn({ addresses: ['127.0.0.2'] }, { addresses: ['127.0.0.1'] })
    await using world = await attempting({ reply, allowed: '127.0.0.2' })
    expect(await world.attempt(there.port)).toMatchObject({ address: '127.0.0.2', status: 200 })
    expect(world.server.asked).toHaveLength(2)
    expect(await world.attempt(there.port)).toMatchObject({ layer: 'address' })
    expect(there.requests).toHaveLength(1)
    expect(inside.connectionCount()).toBe(0)
  })

  test('connects only to the address that was checked', async () => {
    const there = await receiver(respond(200), { host: '0.0.0.0' })
    const reply = inTurn({ addresses: ['127.0.0.2'] }, { addresses: ['127.0.0.3'] }, { addresses: ['127.0.0.2'] })
    await using world = await attempting({ reply, allowed: '127.0.0.2/31' })
    for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.2']) {
      expect(await world.attempt(there.port)).toMatchObject({ address, status: 200 })
    }
    expect(there.requests.map(({ connection }) => connection)).toEqual([0, 1, 0])
  })
})

describe('rejects a name that resolves to an internal address', () => {
  const refused: [string, Record<'A' | 'AAAA', DnsReply>, string][] = [
    ['plainly', { A: { addresses: ['127.0.0.1'] }, AAAA: {} }, 'loopback (127.0.0.0/8)'],
    ['along with a public address', { A: { addresses: [publicAddress, '127.0.0.1'] }, AAAA: {} }, 'loopback'],
    ['before a public address', { A: { addresses: ['127.0.0.1', publicAddress] }, AAAA: {} }, 'loopback'],
    ['by IPv6 only', { A: { addresses: [publicAddress] }, AAAA: { addresses: ['::1'] } }, 'loopback (::1/128)'],
    ['by IPv4 only', { A: { addresses: ['10.0.0.1'] }, AAAA: { addresses: ['2606:4700::1'] } }, 'private network'],
    ['as a mapped address', { A: {}, AAAA: { addresses: ['::ffff:127.0.0.1'] } }, 'IPv4-mapped'],
    ['by address translation', { A: {}, AAAA: { addresses: ['64:ff9b::7f00:1'] } }, 'translation'],
    ['through an alias', { A: { alias: 'inside.example.net', addresses: ['127.0.0.1'] }, AAAA: {} }, 'loopback'],
    ['to cloud metadata', { A: { addresses: ['169.254.169.254'] }, AAAA: {} }, 'cloud metadata'],
    ['to cloud metadata by IPv6', { A: {}, AAAA: { addresses: ['fd00:ec2::254'] } }, 'unique local'],
  ]
  test.each(refused)('%s', async (_name, replies, rule) => {
    const inside = await listener()
    await using world = await attempting({ reply: ({ type }) => replies[type] })
    expect(await world.attempt(inside.port)).toEqual({ fault: expect.stringContaining(rule), layer: 'address' })
    expect(inside.connectionCount()).toBe(0)
  })

  test('even if one of its addresses is allowed', async () => {
    const inside = await listener()
    const replies = { A: { addresses: ['127.0.0.2', '127.0.0.1'] }, AAAA: {} }
    await using world = await attempting({ reply: ({ type }) => replies[type], allowed: '127.0.0.2' })
    expect(await world.attempt(inside.port)).toMatchObject({ layer: 'address' })
    expect(inside.connectionCount()).toBe(0)
  })
})

describe('rejects a name that does not resolve', () => {
  test.each<[string, DnsReply, DnsReply, string]>([
    ['it does not exist', { code: 'NXDOMAIN' }, { code: 'NXDOMAIN' }, 'does not exist or has no address'],
    ['it has no address', {}, {}, 'does not exist or has no address'],
    ['the server fails', { code: 'SERVFAIL' }, { code: 'SERVFAIL' }, 'could not be resolved; try again'],
    ['one of the two lookups fails', { addresses: ['127.0.0.2'] }, { code: 'SERVFAIL' }, 'try again'],
    ['the answer is cut off', { isTruncated: true, addresses: ['127.0.0.2'] }, {}, 'try again'],
  ])('%s', async (_name, a, aaaa, words) => {
    const inside = await listener({ host: '127.0.0.2' })
    await using world = await attempting({ reply: ({ type }) => (type === 'A' ? a : aaaa), allowed: '127.0.0.2' })
    expect(await world.attempt(inside.port)).toEqual({ fault: expect.stringContaining(words), layer: 'name' })
    expect(inside.connectionCount()).toBe(0)
  })

  test('when the server does not answer in time', async () => {
    await using world = await attempting({ reply: () => null })
    const abort = new AbortController()
    const checking = world.check(443, abort.signal)
    abort.abort()
    expect(await checking).toMatchObject({ layer: 'name' })
  })
})
