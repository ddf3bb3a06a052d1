import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeUpload } from '../domain/databases/store-upload.ts'
import { Refusal } from '../domain/refusal.ts'
import { type ManualClock, manualClock } from '../../testing/manual-clock.ts'
import { limitBodyTime } from './body-deadlines.ts'
import { addBodyParsers } from './body-parsers.ts'
import { makeErrorHandler } from './errors.ts'
import { acceptFiles, uploadOf } from './uploads.ts'

const limits = { bodyMs: 30_000, uploadPeriodMs: 60_000, uploadPeriodBytes: 1000 }

let app: FastifyInstance
let clock: ManualClock
let port: number
let folder: string
let posted: unknown[]
/** The server side of the connections. */
let accepted: Socket[]

beforeEach(async () => {
  clock = manualClock()
  posted = []
  accepted = []
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-upload-'))
  app = fastify({ forceCloseConnections: true })
  app.setErrorHandler(makeErrorHandler({ baseUrl: 'https://querypost.test' }))
  addBodyParsers(app)
  limitBodyTime(app, { clock, limits })
  app.get('/', async () => ({ is: 'read' }))
  app.post('/', async ({ body }) => {
    posted.push(body)
    return { is: 'posted' }
  })
  app.post('/refused', { onRequest: async () => Promise.reject(new Refusal('unauthenticated', 'Sign in.')) }, async () => ({}))
  await app.register(async (uploads) => {
    acceptFiles(uploads)
    uploads.post('/upload', async (request) => {
      await storeUpload({ bytes: uploadOf(request, 1e9), file: path.join(folder, 'file'), maxBytes: 1e9 })
      return { is: 'stored' }
    })
  })
  app.server.on('connection', (socket: Socket) => accepted.push(socket))
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterEach(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

/** A client that sends what the test says and records the response. */
function open(start: string) {
  const socket: Socket = connect(port, '127.0.0.1')
  const self = { socket, heard: '', isClosed: false }
  socket.on('data', (bytes) => (self.heard += bytes.toString()))
  socket.on('error', () => {})
  socket.on('close', () => (self.isClosed = true))
  socket.write(start)
  return self
}

const headers = (line: string, length: number) =>
  `${line} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
const turn = () => new Promise((resolve) => void setImmediate(resolve))
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await turn()
}
/** Waits until the service has the headers and waits for the body. */
const untilWatched = () => until(() => clock.sleepers() === 1)

test('rejects a body that does not arrive within 30 seconds with 408, and closes the connection', async () => {
  const client = open(`${headers('POST /', 100)}{"half":`)
  await untilWatched()
  await clock.advance(limits.bodyMs - 1)
  await turn()
  expect(client.heard).toBe('')
  await clock.advance(1)
  await until(() => client.isClosed)
  expect(client.heard).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(client.heard).toMatch(/\r\nconnection: close\r\n/i)
  expect(JSON.parse(client.heard.split('\r\n\r\n')[1]!)).toEqual({
    type: 'invalid_request',
    code: 'request_timeout',
    message: 'The body did not arrive within 30 seconds. Send the request again.',
    documentation_url: 'https://querypost.test/docs/errors#request_timeout',
  })
  expect(posted).toEqual([])
})

test('bytes that trickle in do not extend the deadline', async () => {
  const client = open(headers('POST /', 100))
  await untilWatched()
  for (let count = 0; count < 3 && !client.isClosed; count++) {
    client.socket.write('{')
    await turn()
    await clock.advance(limits.bodyMs / 3)
  }
  await until(() => client.isClosed)
  expect(client.heard).toMatch(/^HTTP\/1\.1 408 /)
})

test('accepts a body in several pieces that arrives in time, and stops the timer', async () => {
  const client = open(`${headers('POST /', 7)}{"a"`)
  await untilWatched()
  await clock.advance(limits.bodyMs - 1)
  client.socket.write(':1}')
  await until(() => client.heard.includes('posted'))
  expect(posted).toEqual([{ a: 1 }])
  await until(() => clock.sleepers() === 0)
  client.socket.destroy()
})

test.each(['POST /refused', 'GET /'])(
  '%s is answered without its body; the connection is closed when the body does not arrive',
  async (line) => {
    const client = open(headers(line, 100))
    await until(() => client.heard.includes('\r\n\r\n'))
    expect(client.heard).not.toMatch(/ 408 /)
    await untilWatched()
    await clock.advance(limits.bodyMs)
    await until(() => client.isClosed)
  },
)

test('a request without a body has no deadline', async () => {
  const client = open('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  await until(() => client.isClosed)
  expect([client.heard.includes('read'), clock.sleepers()]).toEqual([true, 0])
})

test('an upload may take as long as it makes progress, and is rejected with 408 once it stalls', async () => {
  const client = open(headers('POST /upload', 100_000))
  await untilWatched()
  await clock.advance(limits.bodyMs)
  for (let period = 0; period < 5; period++) {
    await untilWatched()
    const before = client.socket.bytesWritten
    client.socket.write('x'.repeat(1000))
    await until(() => accepted[0]!.bytesRead >= before + 1000)
    await clock.advance(limits.uploadPeriodMs)
  }
  await untilWatched()
  client.socket.write('x'.repeat(999))
  await clock.advance(limits.uploadPeriodMs)
  await until(() => client.isClosed)
  expect(client.heard).toMatch(/^HTTP\/1\.1 408 /)
  expect(client.heard).toContain('The upload is too slow: fewer than 1000 bytes arrived within 60 seconds.')
})
