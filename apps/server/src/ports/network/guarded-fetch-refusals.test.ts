import { afterEach, describe, expect, test } from 'vitest'
import { refusedAnswers, refusedUrls } from '../../../testing/deliveries/address-corpus.ts'
import { openAgentFetch } from '../../../testing/agent-fetch.ts'
import { type DnsReply, type DnsServer, startDnsServer } from '../../../testing/servers/dns-server.ts'
import { respond } from '../../../testing/servers/receiver-answers.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { listener, prepareNetworkTests, receiver } from '../../../testing/servers/test-network.ts'

/** Destinations that agents' requests must never reach, in any way. A listening socket shows whether they do. */
prepareNetworkTests()

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function guarded({ reply = () => null, ...rest }: Partial<Parameters<typeof openAgentFetch>[0]> & { reply?: Reply }) {
  const dns: DnsServer = await startDnsServer(reply)
  const opened = openAgentFetch({ allowed: '', dnsServers: [dns.address], ...rest })
  ends.push(() => dns.close(), () => opened.close())
  return { fetch: opened.fetch, dns }
}

type Reply = Parameters<typeof startDnsServer>[0]

const publicAddress = '93.184.215.14'
const refusal = (message: unknown) => ({ name: 'GuardedFetchError', fault: 'refused', message })
const tried = (fetch: GuardedFetch, url: string) =>
  fetch(url).then(
    () => 'answered',
    ({ name, fault, message, code }) => ({ name, fault, message, ...(code && { code }) }),
  )

const isAboutAddresses = ({ rule }: { rule: string }) => /\(.*\/\d+\)|^(broadcast|unspecified|IPv4|unique)/.test(rule)
const literals = refusedUrls
  .filter(isAboutAddresses)
  .flatMap(({ rule, inputs }) => inputs.map((input) => ({ rule, input, shown: JSON.stringify(input) })))

describe('an address in the place of a name', () => {
  test.each(literals)('$shown: $rule', async ({ input, rule }) => {
    const { fetch, dns } = await guarded({ openSocket: () => expect.fail('a connection was made') })
    const remedy = 'Set AGENT_ALLOWED_NETWORKS to allow it.'
    expect(await tried(fetch, input)).toEqual(refusal(expect.stringContaining(rule)))
    expect(await tried(fetch, input)).toEqual(refusal(expect.stringContaining(remedy)))
    expect(dns.asked).toEqual([])
  })

  test('there are many spellings of it', () => {
    expect(literals.length).toBeGreaterThan(120)
  })

  test('localhost', async () => {
    const inside = await listener()
    const { fetch } = await guarded({})
    for (const name of ['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', 'ｌｏｃａｌｈｏｓｔ']) {
      expect(await tried(fetch, `https://${name}:${inside.port}/`)).toEqual(refusal(expect.stringContaining('loopback')))
    }
    expect(inside.connectionCount()).toBe(0)
  })
})

describe('a name that resolves to an internal address', () => {
  const answers = refusedAnswers.flatMap(({ rule, inputs }) => inputs.map((input) => ({ rule, input })))

  test.each(answers)('$input: $rule', async ({ input, rule }) => {
    const fetchOf = (given: string[]) =>
      guarded({ resolve: () => Promise.resolve(given), openSocket: () => expect.fail('a connection was made') })
    for (const given of [[input], [input, publicAddress], ['2606:4700::1', publicAddress, input]]) {
      const { fetch } = await fetchOf(given)
      expect(await tried(fetch, 'https://models.example.com/')).toEqual(refusal(expect.stringContaining(rule)))
    }
  })

  test.each<[string, Record<'A' | 'AAAA', DnsReply>]>([
    ['plainly', { A: { addresses: ['127.0.0.1'] }, AAAA: {} }],
    ['along with a public address', { A: { addresses: [publicAddress, '127.0.0.1'] }, AAAA: {} }],
    ['by IPv6 only', { A: { addresses: [publicAddress] }, AAAA: { addresses: ['::1'] } }],
    ['as a mapped address', { A: {}, AAAA: { addresses: ['::ffff:127.0.0.1'] } }],
    ['through an alias', { A: { alias: 'inside.example.net', addresses: ['127.0.0.1'] }, AAAA: {} }],
  ])('%s', async (_name, replies) => {
    const inside = await listener()
    const { fetch } = await guarded({ reply: ({ type }) => replies[type] })
    const answer = await tried(fetch, `https://hooks.example.com:${inside.port}/`)
    expect(answer).toEqual(refusal(expect.stringContaining('not publicly routable')))
    expect(inside.connectionCount()).toBe(0)
  })

  test('even if one of its addresses is allowed', async () => {
    const inside = await listener()
    const reply: Reply = ({ type }) => (type === 'A' ? { addresses: ['127.0.0.2', '127.0.0.1'] } : {})
    const { fetch } = await guarded({ reply, allowed: '127.0.0.2' })
    expect(await tried(fetch, `https://hooks.example.com:${inside.port}/`)).toMatchObject({ fault: 'refused' })
    expect(inside.connectionCount()).toBe(0)
  })
})

describe('a name whose address changes', () => {
  const inTurn =
    (...replies: string[][]): Reply =>
    ({ type, number }) =>
      type === 'A' ? { addresses: replies[number]! } : {}

  test('is rejected at the next request, although a connection is open', async () => {
    const there = await receiver(respond(200, 'ok'), { host: '127.0.0.2' })
    const inside = await listener({ host: '127.0.0.1', port: there.port })
    const { fetch } = await guarded({ reply: inTurn(['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2']), allowed: '127.0.0.2' })
    const url = `https://hooks.example.com:${there.port}/`
    expect(await (await fetch(url)).text()).toBe('ok')
    expect(await tried(fetch, url)).toEqual(refusal(expect.stringContaining('loopback')))
    expect(await (await fetch(url)).text()).toBe('ok')
    expect(there.requests.map(({ connection }) => connection)).toEqual([0, 0])
    expect(inside.connectionCount()).toBe(0)
  })

  test('is resolved once per request, so there is no second answer to change', async () => {
    const there = await receiver(respond(200, 'ok'), { host: '127.0.0.2' })
    const { fetch, dns } = await guarded({ reply: inTurn(['127.0.0.2'], ['127.0.0.1']), allowed: '127.0.0.2' })
    expect((await fetch(`https://hooks.example.com:${there.port}/`)).status).toBe(200)
    expect(dns.asked.toSorted()).toEqual(['hooks.example.com A', 'hooks.example.com AAAA'])
  })
})

describe('a name that does not resolve', () => {
  const leadsNowhere = refusal('The host name hooks.example.com does not exist or has no address.')

  test.each<[string, DnsReply, DnsReply, object]>([
    ['it does not exist', { code: 'NXDOMAIN' }, { code: 'NXDOMAIN' }, leadsNowhere],
    ['it has no address', {}, {}, leadsNowhere],
    ['one of the two lookups fails', { addresses: ['127.0.0.1'] }, { code: 'SERVFAIL' }, {
      name: 'GuardedFetchError',
      fault: 'unreachable',
      message: 'The host name hooks.example.com could not be resolved; try again.',
      code: 'UND_ERR_CONNECT_TIMEOUT',
    }],
  ])('%s', async (_name, a, aaaa, expected) => {
    const inside = await listener()
    const { fetch } = await guarded({ reply: ({ type }) => (type === 'A' ? a : aaaa), allowed: '127.0.0.1' })
    expect(await tried(fetch, `https://hooks.example.com:${inside.port}/`)).toEqual(expected)
    expect(inside.connectionCount()).toBe(0)
  })
})

describe('without TLS', () => {
  const mustBeSecure = refusal(expect.stringMatching(/^The URL must begin with https:\/\/\. .*AGENT_ALLOWED_NETWORKS/))

  test('nothing is sent to a public address', async () => {
    const { fetch } = await guarded({
      reply: ({ type }) => (type === 'A' ? { addresses: [publicAddress] } : {}),
      openSocket: () => expect.fail('a connection was made'),
      allowed: '127.0.0.0/8',
    })
    expect(await tried(fetch, 'http://hooks.example.com/')).toEqual(mustBeSecure)
    expect(await tried(fetch, `http://${publicAddress}/`)).toEqual(mustBeSecure)
  })

  test('nor to a name with a public address', async () => {
    const inside = await listener()
    const reply: Reply = ({ type }) => (type === 'A' ? { addresses: ['127.0.0.1', publicAddress] } : {})
    const { fetch } = await guarded({ reply, allowed: '127.0.0.1' })
    expect(await tried(fetch, `http://hooks.example.com:${inside.port}/`)).toEqual(mustBeSecure)
    expect(inside.connectionCount()).toBe(0)
  })

  test('nor to loopback, unless the operator allows it', async () => {
    const inside = await listener()
    const { fetch } = await guarded({ allowed: '10.0.0.0/8' })
    expect(await tried(fetch, `http://127.0.0.1:${inside.port}/`)).toEqual(
      refusal('This address is not publicly routable: loopback (127.0.0.0/8). Set AGENT_ALLOWED_NETWORKS to allow it.'),
    )
    expect(inside.connectionCount()).toBe(0)
  })
})

test.each(['data:text/plain,hello', 'blob:https://a.example/1', 'file:///etc/passwd', 'ftp://a.example/', 'about:blank'])(
  'rejects other schemes: %s',
  async (url) => {
    const { fetch } = await guarded({})
    expect(await tried(fetch, url)).toEqual(refusal('The URL must begin with https://.'))
  },
)

test("rejects this service's own address, unless the operator has allowed its network", async () => {
  const there = await receiver(respond(200, 'ok'))
  const ownUrl = new URL(`https://hooks.example.com:${there.port}`)
  const outside: Reply = ({ type }) => (type === 'A' ? { addresses: [publicAddress] } : {})
  const { fetch } = await guarded({ reply: outside, ownUrl, openSocket: () => expect.fail('a connection was made') })
  for (const host of ['hooks.example.com', 'HOOKS.example.com', 'hooks.example.com.']) {
    expect(await tried(fetch, `https://${host}:${there.port}/`)).toEqual(refusal(expect.stringContaining('own address')))
  }
  const inside: Reply = ({ type }) => (type === 'A' ? { addresses: ['127.0.0.1'] } : {})
  const allowing = await guarded({ reply: inside, ownUrl, allowed: '127.0.0.1' })
  expect((await allowing.fetch(ownUrl)).status).toBe(200)
})
