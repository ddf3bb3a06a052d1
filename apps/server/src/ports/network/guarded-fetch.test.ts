import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type AgentFetch, openAgentFetch } from '../../../testing/agent-fetch.ts'
import { startDnsServer } from '../../../testing/servers/dns-server.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { drip, drop, hang, respond, write } from '../../../testing/servers/receiver-answers.ts'
import { openTcpSocket } from './dial-tls.ts'
import { closeStarted, listener, prepareNetworkTests, receiver, trusted } from '../../../testing/servers/test-network.ts'

prepareNetworkTests()

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

function agentFetch(options: Parameters<typeof openAgentFetch>[0] = {}): AgentFetch {
  const opened = openAgentFetch(options)
  ends.push(() => opened.close())
  return opened
}

/** Every name resolves to these addresses. */
async function namesLeadTo(...addresses: string[]) {
  const dns = await startDnsServer(({ type }) => (type === 'A' ? { addresses } : {}))
  ends.push(() => dns.close())
  return { dnsServers: [dns.address] }
}

async function plainServer(answer: RequestListener): Promise<{ port: number; url: string }> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/` }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const faultOf = (answering: Promise<unknown>) =>
  answering.then(
    () => 'answered',
    (error: { name: string; fault: string; message: string; code?: string }) => ({
      name: error.name,
      fault: error.fault,
      message: error.message,
      code: error.code,
    }),
  )
const unreachable = (host: string) => ({
  name: 'GuardedFetchError',
  fault: 'unreachable',
  message: `${host} could not be reached, or did not respond with HTTP.`,
  code: 'UND_ERR_CONNECT_TIMEOUT',
})

describe('over https', () => {
  test('sends the request as given, with the name in the handshake and in the Host header', async () => {
    const there = await receiver(respond(201, 'made', { 'x-kind': 'model' }))
    const { fetch } = agentFetch(await namesLeadTo('127.0.0.1'))
    const url = `https://hooks.example.com:${there.port}/v1/chat?a=b`
    const answer = await fetch(url, { method: 'POST', headers: { authorization: 'Bearer x' }, body: '{"a":1}' })
    expect([answer.status, answer.headers.get('x-kind'), await answer.text()]).toEqual([201, 'model', 'made'])
    expect(there.requests).toHaveLength(1)
    expect(there.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/chat?a=b',
      servername: 'hooks.example.com',
      headers: { host: `hooks.example.com:${there.port}`, authorization: 'Bearer x', 'content-length': '7' },
    })
    expect(there.requests[0]!.body.toString()).toBe('{"a":1}')
  })

  test('reuses a connection while the name resolves to the same addresses, in any order', async () => {
    const there = await receiver(respond(200, 'ok'), { host: '0.0.0.0' })
    const answers = [['127.0.0.2', '127.0.0.3'], ['127.0.0.3', '127.0.0.2'], ['127.0.0.3'], ['127.0.0.2', '127.0.0.3']]
    const dns = await startDnsServer(({ type, number }) => (type === 'A' ? { addresses: answers[number]! } : {}))
    ends.push(() => dns.close())
    const { fetch } = agentFetch({ dnsServers: [dns.address], allowed: '127.0.0.2/31' })
    for (const _ of answers) await (await fetch(`https://hooks.example.com:${there.port}/`)).text()
    expect(there.requests.map(({ connection }) => connection)).toEqual([0, 0, 1, 0])
    expect(dns.asked).toHaveLength(8)
  })

  test('does not reuse a connection after five minutes', async () => {
    const there = await receiver(respond(200, 'ok'))
    const { fetch } = agentFetch(await namesLeadTo('127.0.0.1'))
    const ask = async () => (await fetch(`https://hooks.example.com:${there.port}/`)).text()
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await ask()
      vi.setSystemTime(Date.now() + 299_000)
      await ask()
      vi.setSystemTime(Date.now() + 2000)
      await ask()
    } finally {
      vi.useRealTimers()
    }
    expect(there.requests.map(({ connection }) => connection)).toEqual([0, 0, 1])
  })

  test('tries the next address if one does not accept the connection', async () => {
    const there = await receiver(respond(200, 'ok'), { host: '127.0.0.3' })
    const { fetch } = agentFetch({ ...(await namesLeadTo('127.0.0.2', '127.0.0.3')), allowed: '127.0.0.2/31' })
    expect((await fetch(`https://hooks.example.com:${there.port}/`)).status).toBe(200)
  })

  test.each([
    ['CERT_HAS_EXPIRED', { notAfter: new Date(Date.now() - 86_400_000), notBefore: new Date(0) }],
    ['ERR_TLS_CERT_ALTNAME_INVALID', { names: ['other.example.com'] }],
  ])('reports an invalid certificate: %s', async (detail, options) => {
    const there = await receiver(respond(200), await trusted().issue({ names: ['hooks.example.com'], ...options }))
    const { fetch } = agentFetch(await namesLeadTo('127.0.0.1'))
    const host = `hooks.example.com:${there.port}`
    expect(await faultOf(fetch(`https://${host}/`))).toEqual({
      name: 'GuardedFetchError',
      fault: 'certificate',
      message: `The certificate of ${host} is not valid: ${detail}.`,
    })
    expect(there.requests).toEqual([])
  })

  test('also checks the certificate for an address in place of a name', async () => {
    const there = await receiver(respond(200, 'ok'))
    const { fetch } = agentFetch({ allowed: '127.0.0.0/8' })
    expect((await fetch(`https://127.0.0.1:${there.port}/`)).status).toBe(200)
    const elsewhere = await receiver(respond(200, 'ok'), { host: '127.0.0.2' })
    expect(await faultOf(fetch(`https://127.0.0.2:${elsewhere.port}/`))).toMatchObject({ fault: 'certificate' })
  })
})

describe('indistinguishable failures', () => {
  test.each([
    ['nobody listens', async () => {
      const there = await listener()
      await closeStarted()
      return there
    }],
    ['the connection is closed at once', () => listener({ onSocket: (socket) => socket.destroy() })],
    ['another protocol is spoken', () => listener({ onSocket: (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n') })],
    ['no answer comes', () => receiver(drop)],
    ['the answer is not HTTP', () => receiver(write('+OK ready\r\n'))],
  ])('%s', async (_name, start) => {
    const { port } = await start()
    const { fetch } = agentFetch(await namesLeadTo('127.0.0.1'))
    const host = `hooks.example.com:${port}`
    expect(await faultOf(fetch(`https://${host}/`, { method: 'POST', body: 'x' }))).toEqual(unreachable(host))
  })

  test('a server that accepts the connection and is silent for 10 seconds', async () => {
    const clock = manualClock()
    let isConnected = () => {}
    const connected = new Promise<void>((resolve) => (isConnected = resolve))
    const there = await listener({ onSocket: () => isConnected() })
    const { fetch } = agentFetch({ clock, ...(await namesLeadTo('127.0.0.1')) })
    const host = `hooks.example.com:${there.port}`
    const answering = faultOf(fetch(`https://${host}/`))
    await connected
    await clock.advance(10_000)
    expect(await answering).toEqual(unreachable(host))
    await there.untilOpen(0)
    expect(clock.sleepers()).toBe(0)
  })

  test('a connection to another address, without sending it a byte', async () => {
    let bytes = 0
    const elsewhere = await listener({ host: '127.0.0.3', onSocket: (socket) => socket.on('data', () => bytes++) })
    const openSocket = ({ port }: { port: number }) => openTcpSocket({ host: '127.0.0.3', port })
    const { fetch } = agentFetch({ openSocket })
    for (const scheme of ['https', 'http']) {
      const host = `127.0.0.1:${elsewhere.port}`
      expect(await faultOf(fetch(`${scheme}://${host}/`, { method: 'POST', body: 'x' }))).toEqual(unreachable(host))
    }
    await elsewhere.untilOpen(0)
    expect([elsewhere.connectionCount(), bytes]).toEqual([2, 0])
  })
})

describe('over plain http, if the operator allows it', () => {
  test('a request is answered', async () => {
    const { url } = await plainServer((request, response) => {
      void bodyOf(request).then((body) => response.end(`${request.method} ${body}`))
    })
    const { fetch } = agentFetch()
    expect(await (await fetch(url, { method: 'PUT', body: 'hello' })).text()).toBe('PUT hello')
  })

  test('localhost is this machine, whatever DNS says', async () => {
    const { port } = await plainServer((_request, response) => response.end('here'))
    const { fetch } = agentFetch({ resolve: () => expect.fail('a name was resolved') })
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'model.localhost']) {
      expect(await (await fetch(`http://${name}:${port}/`)).text()).toBe('here')
    }
  })

  test('streams bodies both ways', async () => {
    const { url } = await plainServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      request.on('data', (chunk: Buffer) => response.write(`echo ${chunk.toString()}`))
      request.on('end', () => response.end('end'))
    })
    const { fetch } = agentFetch()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const sending = { method: 'POST', body: readable, duplex: 'half' } as RequestInit
    void writer.write(Buffer.from('one'))
    const answer = await fetch(url, sending)
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect(await reader.read()).toEqual({ done: false, value: 'echo one' })
    void writer.write(Buffer.from('two'))
    expect(await reader.read()).toEqual({ done: false, value: 'echo two' })
    await writer.close()
    expect(await reader.read()).toEqual({ done: false, value: 'end' })
    expect(await reader.read()).toMatchObject({ done: true })
  })

  test("accepts Node's own Request and FormData", async () => {
    const { url } = await plainServer((request, response) => {
      void bodyOf(request).then((body) => response.end(`${request.headers['content-type']} ${body}`))
    })
    const { fetch } = agentFetch()
    const request = new Request(url, { method: 'POST', headers: { 'content-type': 'a/b' }, body: 'hello' })
    expect(await (await fetch(request)).text()).toBe('a/b hello')
    const body = new FormData()
    body.append('field', 'value')
    expect(await (await fetch(url, { method: 'POST', body })).text()).toMatch(/^multipart\/form-data; boundary.*value/s)
  })

  test('returns a redirect without following it', async () => {
    const metadata = await listener()
    let count = 0
    const { url } = await plainServer((_request, response) => {
      count++
      response.writeHead(307, { location: `http://169.254.169.254:${metadata.port}/latest/meta-data/` }).end()
    })
    const { fetch } = agentFetch()
    for (const init of [{}, { redirect: 'follow' }, { redirect: 'error' }] as RequestInit[]) {
      const answer = await fetch(url, init)
      expect([answer.status, answer.headers.get('location')]).toEqual([307, expect.stringContaining('169.254')])
    }
    expect([count, metadata.connectionCount()]).toEqual([3, 0])
  })

  test("ignores proxies from the environment and the caller's dispatcher", async () => {
    const proxy = await listener()
    const { url } = await plainServer((_request, response) => response.end('direct'))
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'NODE_USE_ENV_PROXY']) {
      vi.stubEnv(name, name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`)
    }
    try {
      const dispatcher = { dispatch: () => expect.fail('the dispatcher was used') }
      const { fetch } = agentFetch()
      expect(await (await fetch(url, { dispatcher } as unknown as RequestInit)).text()).toBe('direct')
    } finally {
      vi.unstubAllEnvs()
    }
    expect(proxy.connectionCount()).toBe(0)
  })
})

describe('an abort', () => {
  test('beforehand resolves nothing', async () => {
    const { fetch } = agentFetch({ resolve: () => expect.fail('a name was resolved') })
    const reason = new Error('stopped')
    await expect(fetch('https://hooks.example.com/', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('ends name resolution, with its reason', async () => {
    const abort = new AbortController()
    const dns = await startDnsServer(() => {
      abort.abort()
      return null
    })
    ends.push(() => dns.close())
    const { fetch } = agentFetch({ dnsServers: [dns.address] })
    const error: unknown = await fetch('https://hooks.example.com/', { signal: abort.signal }).catch((thrown) => thrown)
    expect(error).toBe(abort.signal.reason)
  })

  test('ends an unanswered request and its connection', async () => {
    const there = await receiver(hang)
    const abort = new AbortController()
    const { fetch } = agentFetch(await namesLeadTo('127.0.0.1'))
    const answering = fetch(`https://hooks.example.com:${there.port}/`, { signal: abort.signal })
    await there.untilReceived(1)
    abort.abort()
    await expect(answering).rejects.toBe(abort.signal.reason)
    await there.untilOpen(0)
  })

  test('ends an endless body', async () => {
    const there = await receiver(drip('HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\nhello', '!'))
    const abort = new AbortController()
    const { fetch } = agentFetch(await namesLeadTo('127.0.0.1'))
    const answer = await fetch(`https://hooks.example.com:${there.port}/`, { signal: abort.signal })
    abort.abort()
    await expect(answer.text()).rejects.toBe(abort.signal.reason)
    await there.untilOpen(0)
  })
})

test('closing ends everything that is open, and nothing is opened afterwards', async () => {
  const there = await receiver(({ by: ({ path }) => (path === '/kept' ? respond(200, 'ok') : hang) }))
  const silent = await listener()
  const opened = agentFetch(await namesLeadTo('127.0.0.1'))
  const at = (port: number, path: string) => `https://hooks.example.com:${port}${path}`
  await (await opened.fetch(at(there.port, '/kept'))).text()
  const hanging = faultOf(opened.fetch(at(there.port, '/hang')))
  const connecting = faultOf(opened.fetch(at(silent.port, '/')))
  await there.untilReceived(2)
  await opened.close()
  expect(await hanging).toEqual(unreachable(`hooks.example.com:${there.port}`))
  expect(await connecting).toEqual(unreachable(`hooks.example.com:${silent.port}`))
  await there.untilOpen(0)
  await silent.untilOpen(0)
  expect(await faultOf(opened.fetch(at(there.port, '/')))).toEqual(unreachable(`hooks.example.com:${there.port}`))
  expect(there.connectionCount()).toBe(1)
})
