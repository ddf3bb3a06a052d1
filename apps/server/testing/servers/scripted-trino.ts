import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TrinoRequestSeen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown }
/** Undefined for what every server answers: transactions and the check of the catalog. */
export type Script = (request: TrinoRequestSeen, base: string) => Answer | Promise<Answer> | undefined

/** The statement protocol on loopback, answering as scripted. A text is sent as it is, anything else as JSON. */
export async function startScriptedTrino(script: Script) {
  const seen: TrinoRequestSeen[] = []
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: Buffer.concat(pieces).toString() }
    seen.push(received)
    const base = `http://${headers.host}`
    const { status = 200, headers: sent = {}, body = '' } = (await script(received, base)) ?? usual(received)
    response.writeHead(status, sent).end(typeof body === 'string' ? body : JSON.stringify(body))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function usual({ method, body }: TrinoRequestSeen): Answer {
  if (method === 'POST' && body.startsWith('START TRANSACTION')) {
    return { headers: { 'x-trino-started-transaction-id': 'transaction-1' }, body: {} }
  }
  const columns = [{ name: 'schema_name', type: 'varchar' }]
  if (method === 'POST' && body.startsWith('SELECT schema_name')) return { body: { columns, data: [['shop']] } }
  return { body: {} }
}
