import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../testing/test-service.ts'

let service: TestService
let port: number
beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  port = Number(new URL(await service.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => service.stop())

function send(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

test.each([
  ['text that is not HTTP', 'hello\r\n\r\n', /not valid HTTP/],
  ['an invalid method', 'F(TCH /healthz HTTP/1.1\r\nhost: a\r\n\r\n', /not valid HTTP/],
  ['two content lengths', 'POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', /not valid HTTP/],
  ['headers of 20 KB', `GET /healthz HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, /larger than 16 KiB/],
  ['a URL of 20 KB', `GET /q/${'y'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, /larger than 16 KiB/],
])('%s gets an error in the usual format', async (_, bytes, message) => {
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

test.each([
  ['FETCH /healthz?a=b', 405, 'method_not_allowed', 'GET, HEAD'],
  ['FETCH /api/queries/00000000-0000-4000-8000-000000000000', 405, 'method_not_allowed', 'GET, HEAD'],
  ['FETCH /nothing', 404, 'route_not_found', undefined],
  ['PROPFIND /healthz', 405, 'method_not_allowed', 'GET, HEAD'],
  ['PROPFIND /nothing', 404, 'route_not_found', undefined],
])('%s, an unsupported method, gets %i', async (line, status, code, allow) => {
  const [head, body] = (await send(`${line} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)).split('\r\n\r\n') as [string, string]
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(/\r\nallow: (.*)/i.exec(head)?.[1]?.trim()).toBe(allow)
  expect(JSON.parse(body)).toMatchObject({ type: 'invalid_request', code })
})

test('a request that Node times out gets 408', async () => {
  const { server } = service.app
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const answer = send('POST /app/api/session HTTP/1.1\r\nhost: a\r\ncontent-le')
  const [socket] = await accepted
  // As Node does after `headersTimeout` or `requestTimeout`.
  server.emit('clientError', Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  const [head, body] = (await answer).split('\r\n\r\n') as [string, string]
  expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(JSON.parse(body)).toMatchObject({ type: 'invalid_request', code: 'request_timeout' })
})

test('Node limits the time for the headers and for the whole request', () => {
  const { headersTimeout, requestTimeout } = service.app.server
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 60_000, requestTimeout: 30 * 60_000 })
})
