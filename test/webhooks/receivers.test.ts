import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verify, type WebhookEvent } from '@querypost/webhooks'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Authority, makeAuthority } from '@querypost/server/testing'
import { makeApp as makeExpressApp } from '../../packages/webhooks/examples/express.ts'
import { makeApp as makeFastifyApp } from '../../packages/webhooks/examples/fastify.ts'
import { makeHandler } from '../../packages/webhooks/examples/fetch.ts'
import { until } from '../faults/until.ts'
import { preparedDataDirectory, preparedEmail } from '../first-start.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'

/**
 * The service, with embedded defaults, delivers to receivers as customers would write them. The requests are captured on the way and also
 * verified with the Standard Webhooks library.
 */
let folder: string
let dataDirectory: string
let authority: Authority
let service: ServiceProcess
let admin: Awaited<ReturnType<ServiceProcess['signIn']>>
const stops: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-receivers-'))
  authority = await makeAuthority()
  const authorityFile = path.join(folder, 'authority.pem')
  await writeFile(authorityFile, authority.certificate)
  dataDirectory = await preparedDataDirectory()
  service = await startServiceProcess({
    dataDirectory,
    environment: {
      BOOTSTRAP_EMAIL: preparedEmail,
      NODE_EXTRA_CA_CERTS: authorityFile,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    },
  })
  admin = await service.signIn()
})
afterAll(async () => {
  await service.stop()
  for (const stop of stops) await stop()
  for (const each of [folder, dataDirectory]) await rm(each, { recursive: true, force: true })
})

interface Caught {
  headers: Record<string, string>
  body: Buffer
}

/** An https server in front of a receiver that records requests without changing them. */
async function startHttps(receiver: RequestListener): Promise<{ url: string; caught: Caught[] }> {
  const caught: Caught[] = []
  const { key, cert } = await authority.issue({ names: ['127.0.0.1'] })
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      caught.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks) })
    })
    receiver(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  stops.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, caught }
}

type MakeReceiver = (options: { secret: string; onEvent(event: WebhookEvent): void }) => Promise<RequestListener>

const makeExpress: MakeReceiver = async (options) => makeExpressApp(options) as RequestListener

const makeFastify: MakeReceiver = async (options) => {
  const app = makeFastifyApp(options)
  await app.ready()
  stops.push(() => app.close())
  return (request, response) => app.routing(request, response)
}

/** Adapts a handler of Request and Response to node:https. */
const makeFetch: MakeReceiver = async (options) => {
  const handle = makeHandler(options)
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = new Headers(request.headers as Record<string, string>)
      void handle(new Request('https://receiver/webhooks', { method: 'POST', headers, body: Buffer.concat(chunks) })).then(
        ({ status }) => response.writeHead(status).end(),
      )
    })
  }
}

test.each([
  ['Express', makeExpress],
  ['Fastify', makeFastify],
  ['a fetch-style handler', makeFetch],
])('%s and the Standard Webhooks library accept a delivery of the running service', async (_name, makeReceiver) => {
  let takeEvent: (event: WebhookEvent) => void
  const arrived = new Promise<WebhookEvent>((resolve) => (takeEvent = resolve))
  // Creating the endpoint yields the secret but needs the receiver's address first.
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end()
  const { url, caught } = await startHttps((request, response) => listener(request, response))
  const created = await admin('POST', '/app/api/webhook-endpoints', { url, eventTypes: ['automation.run.completed'] })
  expect(created.status, service.output()).toBe(201)
  const { id, secret } = created.body as { id: string; secret: string }
  listener = await makeReceiver({ secret, onEvent: (event) => takeEvent(event) })

  expect((await admin('POST', `/app/api/webhook-endpoints/${id}/test`)).status).toBe(202)
  const event = await arrived
  expect(event.type).toBe('automation.run.completed')

  const { headers, body } = caught[0]!
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'svc-webhook-id': event.id })
  expect(headers['svc-webhook-signature']).toMatch(/^v1=[0-9a-f]{64}$/)
  expect(headers['svc-webhook-timestamp']).toMatch(/^\d{10}$/)
  expect(new Webhook(secret).verify(body, headers)).toEqual(event)
  expect(await verify({ body, headers, secret })).toEqual(event)
  expect(Object.keys(event)).toEqual(['id', 'type', 'createdAt', 'data'])

  // Wait until the delivery log shows that the first attempt succeeded.
  const delivery = async () => {
    const log = await admin('GET', `/app/api/webhook-endpoints/${id}/deliveries`)
    return (log.body as { items: { state: string }[] }).items[0]!
  }
  await until(async () => (await delivery()).state !== 'pending')
  expect(await delivery()).toMatchObject({ state: 'delivered', attemptCount: 1, eventId: event.id })
})
