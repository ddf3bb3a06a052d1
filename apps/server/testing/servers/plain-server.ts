import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PlainAnswer {
  status: number
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: string | object
}

export interface PlainServer {
  /** Without a slash at the end. */
  url: string
  close(): Promise<void>
}

/** An http server on loopback that reads whole requests. */
export async function startPlainServer(answer: (request: IncomingMessage, body: Buffer) => PlainAnswer): Promise<PlainServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { status, headers = {}, body = '' } = answer(request, Buffer.concat(chunks))
      const isJson = typeof body !== 'string'
      response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers }).end(isJson ? JSON.stringify(body) : body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
