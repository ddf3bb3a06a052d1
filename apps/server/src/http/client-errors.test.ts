import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../testing/test-service.ts'

let service: TestService
let port: number
beforeAll(async () => {
  service = await startTestService('pglite', { worker: false })
  port = Number(new URL(await service.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => service.stop())

function send(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

test.each([
  ['no HTTP', 'hello\r\n\r\n', /not HTTP that can be read/],
  ['an unknown method', 'FETCH /healthz HTTP/1.1\r\nhost: a\r\n\r\n', /not HTTP that can be read/],
  ['two lengths', 'POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', /not HTTP/],
  ['headers of 20 KB', `GET /healthz HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, /larger than 16 KiB/],
  ['an address of 20 KB', `GET /q/${'y'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, /larger than 16 KiB/],
])('%s gets an error of the usual shape', async (_, bytes, message) => {
  const [head, body] = (await send(bytes)).split('\r\n\r\n') as [string, string]
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(head).toMatch(/\r\nx-request-id: req_\w{22}\r\n/)
  expect(head).toMatch(/\r\ncontent-type: application\/json; charset=utf-8\r\n/)
  expect(JSON.parse(body)).toEqual({
    type: 'invalid_request',
    code: 'invalid_request',
    message: expect.stringMatching(message),
    documentation_url: 'https://querypost.test/docs/errors#invalid_request',
  })
  expect((await service.app.inject('/healthz')).statusCode).toBe(200)
})
