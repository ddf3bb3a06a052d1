import { describe, expect, test, vi } from 'vitest'
import { flood, respond, write, writeAndEnd } from '../../../testing/servers/receiver-answers.ts'
import { listener, network, prepareNetworkTests, receiver, to } from '../../../testing/servers/test-network.ts'

prepareNetworkTests()

describe('a POST', () => {
  test('arrives as given, and the answer is returned', async () => {
    const there = await receiver(respond(200, 'thank you, we have got it'))
    const answer = await network().post(to(there))
    expect(answer).toEqual({
      address: '127.0.0.1',
      phases: {
        connectMs: expect.any(Number),
        tlsMs: expect.any(Number),
        responseMs: expect.any(Number),
        bodyMs: expect.any(Number),
      },
      status: 200,
      response: Buffer.from('thank you, we ha'),
      failure: null,
    })
    expect(there.requests).toEqual([
      {
        method: 'POST',
        path: '/hooks/a?b=c',
        headers: {
          host: `hooks.example.com:${there.port}`,
          connection: 'keep-alive',
          'content-type': 'application/json',
          'accept-encoding': 'identity',
          'content-length': '14',
        },
        body: Buffer.from('{"id":"evt_1"}'),
        connection: 0,
        servername: 'hooks.example.com',
      },
    ])
  })

  test('to an address checks the certificate for the address, without a name in the handshake', async () => {
    const there = await receiver(respond(204))
    expect(await network().post(to(there, { hostname: '127.0.0.1' }))).toMatchObject({ status: 204, failure: null })
    expect(there.requests[0]).toMatchObject({ servername: null, headers: { host: `127.0.0.1:${there.port}` } })
  })

  test('to a name with a root dot checks the certificate for the name without it', async () => {
    const there = await receiver(respond(200))
    expect(await network().post(to(there, { hostname: 'hooks.example.com.' }))).toMatchObject({ status: 200 })
    expect(there.requests[0]!.servername).toBe('hooks.example.com')
  })

  test('uses no proxy from the environment', async () => {
    const proxy = await listener()
    const names = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'HTTP_PROXY']
    for (const name of names) vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    const there = await receiver(respond(200))
    expect(await network().post(to(there))).toMatchObject({ status: 200 })
    expect(proxy.connectionCount()).toBe(0)
    vi.unstubAllEnvs()
  })

  test('follows no redirect and no Alt-Svc', async () => {
    const elsewhere = await receiver(respond(200))
    const location = `https://hooks.example.com:${elsewhere.port}/`
    const there = await receiver(respond(307, '', { location, 'alt-svc': `http/1.1="127.0.0.1:${elsewhere.port}"` }))
    const here = network()
    expect(await here.post(to(there))).toMatchObject({ status: 307, failure: null })
    expect(await here.post(to(there))).toMatchObject({ status: 307, failure: null })
    expect(there.requests).toHaveLength(2)
    expect(elsewhere.connectionCount()).toBe(0)
  })
})

describe('a response', () => {
  const body = (name: string, text: string, answered: string) => ({ name, text, answered })
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  test.each([
    body('with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello'),
    body('in chunks', `${chunked}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`, 'hello'),
    body('in chunks with trailers', `${chunked}5\r\nhello\r\n0\r\nA: b\r\n\r\n`, 'hello'),
    body('that ends with the connection', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello', 'hello'),
    body('that implicitly ends with the connection', 'HTTP/1.1 200 OK\r\n\r\nhello', 'hello'),
    body('of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello', 'hello'),
    body('without a body', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', ''),
    body('longer than what is kept', 'HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n0123456789abcdefgh', '0123456789abcdef'),
  ])('$name is read', async ({ text, answered }) => {
    const answer = await network().post(to(await receiver(writeAndEnd(text))))
    expect(answer).toMatchObject({ status: 200, failure: null })
    expect(Buffer.from(answer.response).toString()).toBe(answered)
  })

  test.each([204, 304, 400, 404, 410, 429, 500, 503, 599])('with status %i is an answer', async (status) => {
    expect(await network().post(to(await receiver(respond(status))))).toMatchObject({ status, failure: null })
  })

  test('in many pieces is kept from its start', async () => {
    const letters = 'abcdefghij'.repeat(3).split('')
    const there = await receiver(write('HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n', ...letters))
    const answer = await network().post(to(there))
    expect(Buffer.from(answer.response).toString()).toBe('abcdefghijabcdef')
  })

  test('is read up to the limit, and so is the connection', async () => {
    const there = await receiver(flood('HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n', 'x'))
    const answer = await network().post(to(there))
    expect(answer).toMatchObject({ status: 200, failure: null, response: Buffer.from('x'.repeat(16)) })
    expect(answer.phases.bodyMs).not.toBeNull()
    await there.untilOpen(0)
  })

  test('without an end is read up to the limit', async () => {
    const there = await receiver(flood('HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n', '5\r\nhello\r\n'))
    expect(await network().post(to(there))).toMatchObject({ status: 500, failure: null })
    await there.untilOpen(0)
  })

  test('that has exactly the length of the limit, and then hangs, is an answer', async () => {
    const there = await receiver(write('HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n', 'y'.repeat(1000)))
    expect(await network().post(to(there, { responseMaxBytes: 1000 }))).toMatchObject({ status: 200, failure: null })
  })

  test('is read even if nothing of it is kept', async () => {
    const there = await receiver(respond(200, 'hello'))
    const answer = await network().post(to(there, { responseKeptBytes: 0 }))
    expect(answer).toMatchObject({ status: 200, failure: null })
    expect(answer.response).toHaveLength(0)
  })
})

describe('informational responses', () => {
  const final = 'HTTP/1.1 202 OK\r\nContent-Length: 2\r\n\r\nok'
  const hints = `HTTP/1.1 103 Early Hints\r\nLink: </${'x'.repeat(900)}>\r\n\r\n`
  test.each([
    ['a 100', ['HTTP/1.1 100 Continue\r\n\r\n', final]],
    ['a 100 together with the response', [`HTTP/1.1 100 Continue\r\n\r\n${final}`]],
    ['a 100 byte by byte', `HTTP/1.1 100 Continue\r\nA: b\r\n\r\n${final}`.split('')],
    ['a 102', ['HTTP/1.1 102 Processing\r\n\r\n', final]],
    ['a 103', [hints, final]],
    ['many of them, more than one head may have', [hints.repeat(40), 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(40), final]],
  ])('are skipped: %s', async (_name, parts) => {
    const there = await receiver(write(...parts))
    const here = network()
    for (let time = 0; time < 2; time++) {
      const answer = await here.post(to(there))
      expect(answer).toMatchObject({ status: 202, failure: null })
      expect(Buffer.from(answer.response).toString()).toBe('ok')
    }
    expect(there.connectionCount()).toBe(1)
  })

  test('are limited in number', async () => {
    const there = await receiver(flood('', 'HTTP/1.1 100 Continue\r\n\r\n'))
    expect(await network().post(to(there))).toMatchObject({ status: null, failure: { kind: 'response_broken' } })
    await there.untilOpen(0)
  })

  test('are limited in size', async () => {
    const there = await receiver(flood('HTTP/1.1 103 Early Hints\r\n', 'A: b\r\n'))
    expect(await network().post(to(there))).toMatchObject({ status: null, failure: { kind: 'response_broken' } })
    await there.untilOpen(0)
  })
})
