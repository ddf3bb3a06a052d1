import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeSilentConnections } from './close-silent-connections.ts'

async function listen() {
  const app = fastify({ forceCloseConnections: 'idle' })
  closeSilentConnections(app)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  app.get('/', () => {
    asked.resolve()
    return answer.promise
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, asked, answer, port: (app.server.address() as AddressInfo).port }
}

test.each(['', 'GET / HTTP/1.1\r\nHost:'])('closes a connection that has sent %j', async (sent) => {
  const { app, port } = await listen()
  const accepted = once(app.server, 'connection')
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await accepted
  socket.write(sent)
  const closed = once(socket, 'close')
  await app.close()
  await closed
  expect(socket.destroyed).toBe(true)
})

test('answers a request that is in progress', async () => {
  const { app, asked, answer, port } = await listen()
  const response = fetch(`http://127.0.0.1:${port}/`)
  await asked.promise
  const closed = app.close()
  answer.resolve('done')
  expect(await (await response).text()).toBe('done')
  await closed
})
