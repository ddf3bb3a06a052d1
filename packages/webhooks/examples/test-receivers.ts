import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookEvent } from '@querypost/webhooks'
import { makeApp as makeExpressApp } from './express.ts'
import { makeApp as makeFastifyApp } from './fastify.ts'
import { makeHandler } from './fetch.ts'

export interface Receiver {
  url: string
  stop: () => Promise<void>
}

interface ReceiverOptions {
  secret: string | string[]
  onEvent: (event: WebhookEvent) => unknown
}

/** Each example, started on a free port of the loopback address. */
export const startReceiver: Record<'express' | 'fastify' | 'fetch', (options: ReceiverOptions) => Promise<Receiver>> = {
  async express(options) {
    const app = makeExpressApp(options)
    // Keeps Express from printing errors thrown by handlers.
    app.set('env', 'test')
    return listen(app)
  },
  async fastify(options) {
    const app = makeFastifyApp(options)
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    return { url: `${address}/webhooks`, stop: () => app.close() }
  },
  async fetch(options) {
    return listen(toListener(makeHandler(options)))
  },
}

async function listen(listener: RequestListener): Promise<Receiver> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, stop }
}

/** What a runtime with Request and Response does around a handler, including a 500 for a thrown error. */
export function toListener(handler: (request: Request) => Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    const answer = async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method!,
        headers: incoming.headers as Record<string, string>,
        ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
      })
      const response = await handler(request)
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
    }
    answer().catch(() => outgoing.writeHead(500).end())
  }
}
