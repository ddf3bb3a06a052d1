import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HttpRequestSeen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface HttpAnswer {
  status?: number
  headers?: Record<string, string>
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown
}

/** An HTTP server on loopback that answers as scripted. */
export async function startScriptedHttp(script: (request: HttpRequestSeen) => HttpAnswer | Promise<HttpAnswer>) {
  const seen: HttpRequestSeen[] = []
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: Buffer.concat(pieces).toString() }
    seen.push(received)
    const { status = 200, headers: sent = {}, body = '' } = await script(received)
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
