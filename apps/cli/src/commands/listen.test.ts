import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { verify } from '@querypost/webhooks'
import {
  publish,
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '@querypost/server/testing/suites'
import { pollPause, manualClock } from '@querypost/server/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { tryCommand } from '../../testing/command-context.ts'

let service: TestService
let shop: TestOrganization
let member: TestPerson
let url: string
let environment: Record<string, string>
const running: { stop(): Promise<unknown> }[] = []
const receivers: Server[] = []

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  member = await shop.addPerson('member', 'dev@shop.test')
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
  environment = { QUERYPOST_URL: url, QUERYPOST_API_KEY: member.apiKey }
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((listener) => listener.stop()))
  for (const receiver of receivers.splice(0)) receiver.close().closeAllConnections()
})
afterAll(() => service.stop())

/** Starts `listen` and waits until it is connected. */
async function listen(args: string[], world: { isTerminal?: boolean } = {}) {
  const interruption = new AbortController()
  const clock = manualClock()
  let latest: string[] = []
  const seen = { text: '' }
  let tell = () => {}
  const ended = tryCommand(['listen', ...args], {
    environment,
    clock,
    signal: interruption.signal,
    ...world,
    onOutput(text) {
      latest = [...latest.filter((each) => !text.startsWith(each)), text]
      seen.text = latest.join('')
      tell()
    },
  })
  async function untilPrinted(words: RegExp | string) {
    const isPrinted = () => (typeof words === 'string' ? seen.text.includes(words) : words.test(seen.text))
    while (!isPrinted()) {
      const notified = Promise.withResolvers<void>()
      tell = notified.resolve
      const isOver = await Promise.race([notified.promise, ended.then(() => true)])
      if (isOver === true && !isPrinted()) throw new Error(`It ended without ${String(words)} in its output: ${seen.text}`)
    }
    return seen.text
  }
  const listener = {
    clock,
    untilPrinted,
    stop() {
      interruption.abort()
      return ended
    },
  }
  running.push(listener)
  await untilPrinted('Press Ctrl+C to stop')
  await untilPrinted(/whsec_[\w+/]+=/)
  return listener
}

interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
}

async function receive(answer: RequestListener = (_request, response) => response.end('thanks')) {
  const requests: Received[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      requests.push({ headers: request.headers, body })
      answer(request, response)
    })
  })
  receivers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, requests }
}

async function tell() {
  const { eventId } = await publish(service, shop)
  service.services.wakeups.wake('deliveries')
  return eventId
}

test('forwards an event like a delivery, signed with the printed secret', async () => {
  const { address, requests } = await receive()
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'querypost-listen-')), 'request.http')
  const listener = await listen(['--forward', address, '--header', 'X-Environment: development', '--save', file])
  const id = await tell()
  await listener.untilPrinted(/→ 200/)
  const { exitCode, stdout, stderr } = await listener.stop()
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  automation\\.run\\.completed {3}${id}  → 200 in \\d+ ms\n$`))
  expect(stderr).toContain('Listening to events of shop, forwarding to http://127.0.0.1')
  expect(stderr).toMatch(/\n1 event: 1 delivered, 0 failed\.\n$/)
  const secret = /export QUERYPOST_WEBHOOK_SECRET=(whsec_\S+)/.exec(stderr)![1]!
  const [{ headers, body }] = requests as [Received]
  const event = await verify({ headers, body, secret, now: service.clock.now() })
  expect(event).toMatchObject({ id, type: 'automation.run.completed' })
  const saved = await tryCommand(['verify', '--request', file, '--at', service.clock.now().toISOString()], {
    environment: { QUERYPOST_WEBHOOK_SECRET: secret },
  })
  expect(saved.stdout).toContain('Genuine.')
  await rm(path.dirname(file), { recursive: true })
  const { host: _, connection: __, ...sent } = headers
  expect(Object.keys(sent).toSorted()).toEqual([
    'accept-encoding',
    'content-length',
    'content-type',
    'svc-webhook-id',
    'svc-webhook-signature',
    'svc-webhook-timestamp',
    'user-agent',
    'webhook-id',
    'webhook-signature',
    'webhook-timestamp',
    'x-environment',
  ])
})

test('describes what the receiver did wrong', async () => {
  const answers: RequestListener[] = [
    (_request, response) => response.writeHead(400).end('\u001b[31mno signature\u0007\nsecond line'),
    (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    (_request, response) => response.writeHead(500).end('<html>\n'),
    (request) => request.socket.destroy(),
    () => {},
  ]
  const { address, requests } = await receive((request, response) => answers.shift()?.(request, response))
  const listener = await listen(['--forward', address])
  await tell()
  await listener.untilPrinted('it answered 400: [31mno signature (')
  await tell()
  await listener.untilPrinted('it answered 302, a redirect to /elsewhere. Redirects are not followed')
  await tell()
  await listener.untilPrinted('→ it answered 500 (')
  await tell()
  await listener.untilPrinted('the connection was closed before a response arrived')
  await tell()
  while (requests.length < 5) await pollPause()
  await listener.clock.advance(10_000)
  const output = await listener.untilPrinted('no complete response within 10 seconds')
  expect(output.match(/check that the receiver has the secret/g)).toHaveLength(1)
  await listener.stop()
  await listener.untilPrinted('5 events: 0 delivered, 5 failed.\nFor a real endpoint, failed deliveries are retried')
})

test('reports a refused connection', async () => {
  const { address } = await receive()
  receivers.splice(0)[0]!.close()
  const listener = await listen(['--forward', address])
  await tell()
  const output = await listener.untilPrinted('→ connection refused')
  expect(output).toMatch(/→ connection refused on 127\.0\.0\.1:\d+\. Is the receiver running\? \(\d+ ms\)/)
})

test('reconnects after a lost connection without losing events', async () => {
  const listener = await listen([])
  service.app.server.closeAllConnections()
  await listener.untilPrinted(/Reconnecting in \d s\. No events are lost/)
  const id = await tell()
  await listener.clock.advance(20_000)
  await listener.untilPrinted('Reconnected.')
  expect(await listener.untilPrinted(id)).toMatch(new RegExp(`automation\\.run\\.completed {3}${id}`))
})

test('--json prints one document per line, including triggered samples', async () => {
  const listener = await listen(['--json', '--type', 'automation.run.failed'])
  const ignored = await tryCommand(['trigger', 'automation.run.completed'], { environment })
  expect([ignored.exitCode, ignored.stderr]).toEqual([0, ''])
  expect(ignored.stdout).toMatch(/^automation\.run\.completed {2}evt_\w+ {2}to 1 listener\n$/)
  const triggered = await tryCommand(['trigger', 'automation.run.failed', '--json', '--count', '2'], { environment })
  const { events } = JSON.parse(triggered.stdout) as { events: { id: string; listenerCount: number }[] }
  expect(events).toMatchObject([{ listenerCount: 1 }, { listenerCount: 1 }])
  await listener.untilPrinted(events[1]!.id)
  const { stdout } = await listener.stop()
  const lines = stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines).toMatchObject([
    { kind: 'ready', secret: expect.stringContaining('whsec_'), hasMissedEvents: false },
    ...events.map(({ id }) => ({ kind: 'event', id, type: 'automation.run.failed', isTest: true, forwarded: null })),
  ])
  expect(Object.keys(lines[1]!)).toEqual(['kind', 'id', 'type', 'createdAt', 'isTest', 'headers', 'body', 'forwarded'])
})

test('--print shows bodies, --since past events', async () => {
  service.clock.leap(3600_000)
  const id = await tell()
  // The command's clock shows the time before the leap.
  const listener = await listen(['--since', service.clock.now().toISOString(), '--print'])
  await listener.untilPrinted(id)
  expect(await listener.untilPrinted('    "summary": "Revenue rose."')).toContain(`  "id": "${id}"`)
})

test('trigger points out that nobody is listening, and rejects --endpoint for members', async () => {
  const { db } = service.services
  while ((await db.selectFrom('event_listeners').select('id').executeTakeFirst()) !== undefined) await pollPause()
  const { exitCode, stderr } = await tryCommand(['trigger', 'automation.run.failed'], { environment })
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^Nobody is listening, .* querypost listen --forward/)])
  const refused = await tryCommand(['trigger', 'automation.run.failed', '--endpoint', 'we_1'], { environment })
  expect([refused.exitCode, refused.stdout]).toEqual([3, ''])
  expect(refused.stderr).toMatch(/Only organization admins .*\n {2}https:\/\/querypost\.test\/docs\/errors#forbidden/)
})

test.each([
  [['listen', 'http://localhost:4000'], '--forward http://localhost:4000'],
  [['listen', '--forward', 'http://example.com/hook'], 'example.com is another machine'],
  [['listen', '--forward', 'ftp://localhost'], 'is not a URL to forward to'],
  [['listen', '--type', 'automation.run.complete'], 'Did you mean automation.run.completed?'],
  [['listen', '--since', 'yesterday'], '--since takes a duration'],
  [['listen', '--retries', '8'], 'from 0 to 7'],
  [['listen', '--header', 'a: b'], '--header needs --forward'],
  [['listen', '--forward', 'localhost:4000', '--header', 'odd'], '"odd" is not a header'],
  [['trigger'], 'Name one event type'],
  [['trigger', 'run.ended'], 'There is no event type "run.ended". Use one of automation.run.completed,'],
  [['trigger', 'automation.run.failed', '--count', '0'], 'from 1 to 100'],
])('rejects %s without calling the service', async (args, words) => {
  const nowhere = { ...environment, QUERYPOST_URL: 'http://127.0.0.1:1' }
  const { exitCode, stdout, stderr } = await tryCommand(args, { environment: nowhere })
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(words)
})

test('a rejected key and an unreachable service exit with 3', async () => {
  const key = { ...environment, QUERYPOST_API_KEY: `qp_live_${'x'.repeat(32)}` }
  const { address } = await receive()
  receivers.splice(0)[0]!.close()
  const nobody = { ...environment, QUERYPOST_URL: new URL(address).origin }
  for (const args of [['listen'], ['trigger', 'automation.run.failed']]) {
    const refused = await tryCommand(args, { environment: key })
    expect(refused).toEqual({ exitCode: 3, stdout: '', stderr: expect.stringContaining('This API key is not valid') })
    const unreachable = await tryCommand(args, { environment: nobody })
    expect(unreachable).toEqual({ exitCode: 3, stdout: '', stderr: expect.stringContaining('cannot be reached') })
  }
})
