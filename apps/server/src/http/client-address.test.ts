import { fastify } from 'fastify'
import { describe, expect, test } from 'vitest'
import { clientAddress, isTrustedProxy, makeForwardingHint, plainAddress, type TrustProxy } from './client-address.ts'

describe('plainAddress', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:50123', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]:50123', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('reads %s as %s', (text, address) => expect(plainAddress(text)).toBe(address))

  test.each([['unknown'], [''], ['203.0.113'], ['example.com:80'], [undefined]])('rejects %s', (text) => {
    expect(plainAddress(text)).toBeUndefined()
  })
})

async function addressSeen(trust: TrustProxy | null, peer: string, forwardedFor?: string) {
  const app = fastify({ trustProxy: isTrustedProxy(trust) })
  app.get('/', async (request) => ({ address: clientAddress(request) }))
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  const answer = await app.inject({ url: '/', remoteAddress: peer, headers })
  await app.close()
  return answer.json<{ address: string }>().address
}

describe('the client address', () => {
  const proxies = ['10.0.0.0/8', 'fd12::/16']
  test.each<[string, TrustProxy | null, string, string | undefined, string]>([
    ['ignores the header without TRUST_PROXY', null, '198.51.100.1', '203.0.113.7', '198.51.100.1'],
    ['ignores the header of a peer that is not trusted', proxies, '198.51.100.1', '203.0.113.7', '198.51.100.1'],
    ['uses the header of a trusted peer', proxies, '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['uses the header of a trusted peer on a dual-stack socket', proxies, '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['uses the header of a trusted IPv6 peer', proxies, 'fd12::1', '2001:db8::7', '2001:db8::7'],
    ['uses the rightmost untrusted address', proxies, '10.0.0.1', '1.1.1.1, 203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['is the peer without a header', proxies, '10.0.0.1', undefined, '10.0.0.1'],
    ['is the peer when the header contains no address', proxies, '10.0.0.1', 'unknown', '10.0.0.1'],
    ['counts proxies from the right', 2, '10.0.0.1', '1.1.1.1, 203.0.113.7, 198.51.100.2', '203.0.113.7'],
    ['counts one proxy on this machine', 1, '::ffff:127.0.0.1', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['counts one proxy in a private IPv6 network', 1, 'fd12::1', '203.0.113.7', '203.0.113.7'],
    ['counts no proxy for a peer from outside', 1, '198.51.100.1', '203.0.113.7', '198.51.100.1'],
    ['drops a port that a proxy appended', 1, '10.0.0.1', '203.0.113.7:50123', '203.0.113.7'],
  ])('%s', async (_, trust, peer, header, expected) => {
    expect(await addressSeen(trust, peer, header)).toBe(expected)
  })
})

test('logs an ignored header once', async () => {
  const lines: unknown[] = []
  const app = fastify()
  app.addHook('onRequest', makeForwardingHint({ warn: (fields: unknown) => void lines.push(fields) }))
  app.get('/', async () => '')
  const send = (headers: Record<string, string>) => app.inject({ url: '/', remoteAddress: '10.0.0.1', headers })
  await send({})
  expect(lines).toEqual([])
  await send({ 'x-forwarded-for': '203.0.113.7' })
  await send({ 'x-forwarded-for': '203.0.113.8' })
  expect(lines).toEqual([{ peer: '10.0.0.1' }])
  await app.close()
})
