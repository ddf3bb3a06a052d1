/** Servers that only send the same bytes, as a ceiling for the service. Run in a child process. */
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import fastify from 'fastify'
import { answerRequests, startChild } from './child.ts'

export interface Ceiling {
  /** `socket` does not even parse the request, which shows the limit of the client. */
  kind: 'node:http' | 'fastify' | 'socket'
  headers: Record<string, string>
  body: Uint8Array
}

async function start({ kind, headers, body }: Ceiling): Promise<{ port: number }> {
  const bytes = Buffer.from(body)
  const all = { ...headers, 'content-length': String(bytes.length) }
  if (kind === 'fastify') {
    const app = fastify()
    app.get('/*', async (_request, reply) => reply.headers(headers).send(bytes))
    await app.listen({ host: '127.0.0.1', port: 0 })
    return { port: (app.server.address() as AddressInfo).port }
  }
  if (kind === 'node:http') {
    return listen(createHttpServer((_request, response) => response.writeHead(200, all).end(bytes)))
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head.join('')}\r\n`), bytes])
  return listen(
    createSocketServer({ noDelay: true }, (socket) => {
      socket.on('data', () => socket.write(answer))
      socket.on('error', () => socket.destroy())
    }),
  )
}

function listen(server: Server): Promise<{ port: number }> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ port: (server.address() as AddressInfo).port }))
  })
}

export async function startCeiling(ceiling: Ceiling): Promise<{ port: number; pid: number; stop(): void }> {
  const child = startChild<Ceiling, { port: number }>(new URL(import.meta.url))
  const { port } = await child.ask(ceiling)
  return { port, pid: child.pid, stop: child.stop }
}

if (process.send && process.argv[1] === import.meta.filename) answerRequests(start)
