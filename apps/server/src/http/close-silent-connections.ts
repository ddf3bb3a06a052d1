import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * When the app closes, closes the connections that have not sent a request yet. Browsers open them ahead of time. Node counts them as
 * active and stops checking their timeouts, so a process that is asked to stop would wait until the browser closes them.
 */
export function closeSilentConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
  })
}
