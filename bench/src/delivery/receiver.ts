/**
 * The receivers: one minimal TLS server that parses as much HTTP/1.1 as it needs, records when each event arrived and answers 200, except
 * on paths that hang. It is as lean as possible, so that the senders are measured. Runs in a child process.
 */
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { Webhook } from 'standardwebhooks'
import { answerRequests, type Child, startChild } from '../load/child.ts'
import { nowMs } from './monotonic.ts'

export type ReceiverRequest =
  | { act: 'listen'; key: string; cert: string }
  | { act: 'forget' }
  /** Answers when `afterMs` have passed since the first arrival. */
  | { act: 'wait since first'; afterMs: number }
  /** Answers at `limitMs` from now, or as soon as `count` have arrived. */
  | { act: 'wait for'; count: number; limitMs: number }
  | { act: 'report' }
  /** Verifies the requests that were kept as samples. */
  | { act: 'verify'; secrets: string[] }

export interface ReceiverAnswer {
  port: number
  nowMs: number
  arrivedCount: number
  lastMs: number
  arrivals: Arrivals
  verifiedCount: number
}

/** Parallel lists with one entry per arrival. */
export interface Arrivals {
  eventIds: string[]
  /** The endpoint's number, from the last segment of the path. */
  endpoints: number[]
  atMs: number[]
}

export const startReceivers = (): Child<ReceiverRequest, ReceiverAnswer> => startChild(new URL(import.meta.url))

export const endpointUrl = (port: number, number: number) => `https://127.0.0.1:${port}/endpoint/${number}`
export const hangingUrl = (port: number, number: number) => `https://127.0.0.1:${port}/hang/${number}`

const headEnd = Buffer.from('\r\n\r\n')
const idHeader = Buffer.from('webhook-id: ')
const idLength = 'evt_'.length + 22
const answer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok')
const sampleEvery = 500

interface Sample {
  endpoint: number
  head: string
  body: string
}

let arrivals: Arrivals = { eventIds: [], endpoints: [], atMs: [] }
let samples: Sample[] = []
let onArrival = () => {}

function serve(socket: TLSSocket): void {
  let rest: Buffer | undefined
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    let bytes = rest ? Buffer.concat([rest, chunk]) : chunk
    for (let taken = take(bytes, socket); taken > 0; taken = take(bytes, socket)) bytes = bytes.subarray(taken)
    rest = bytes.length > 0 ? bytes : undefined
  })
}

/** Reads and answers one request at the start of the bytes. Returns its size, or 0 if it is incomplete. */
function take(bytes: Buffer, socket: TLSSocket): number {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return 0
  const head = bytes.toString('latin1', 0, end)
  const [, isHanging, endpoint] = /^POST \/(?:endpoint|(hang))\/(\d+) /.exec(head) ?? []
  const lengthText = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (endpoint === undefined || lengthText === undefined) throw new Error(`This is not a delivery:\n${head}`)
  const sizeBytes = end + headEnd.length + Number(lengthText)
  if (bytes.length < sizeBytes) return 0
  const idAt = bytes.indexOf(idHeader) + idHeader.length
  arrivals.eventIds.push(bytes.toString('latin1', idAt, idAt + idLength))
  arrivals.endpoints.push(Number(endpoint))
  arrivals.atMs.push(nowMs())
  if (arrivals.atMs.length % sampleEvery === 1) {
    samples.push({ endpoint: Number(endpoint), head, body: bytes.toString('utf8', end + headEnd.length, sizeBytes) })
  }
  if (!isHanging) socket.write(answer)
  onArrival()
  return sizeBytes
}

/** Verifies one header family with the Standard Webhooks library, and that the other has the same digest. */
function verify({ endpoint, head, body }: Sample, secrets: string[]): void {
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  new Webhook(secrets[endpoint]!).verify(body, headers)
  const digest = Buffer.from(headers['webhook-signature']!.slice('v1,'.length), 'base64').toString('hex')
  if (headers['svc-webhook-signature'] !== `v1=${digest}`) throw new Error(`The signatures differ:\n${head}`)
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function firstArrival(): Promise<void> {
  if (arrivals.atMs.length === 0) await new Promise<void>((resolve) => (onArrival = resolve))
  onArrival = () => {}
}

async function arrivalOf(count: number, limitMs: number): Promise<void> {
  const isEnough = () => arrivals.atMs.length >= count
  if (isEnough()) return
  await Promise.race([sleep(limitMs), new Promise<void>((resolve) => (onArrival = () => isEnough() && resolve()))])
  onArrival = () => {}
}

async function act(request: ReceiverRequest): Promise<Partial<ReceiverAnswer>> {
  switch (request.act) {
    case 'listen': {
      const server = createServer({ ...request, ALPNProtocols: ['http/1.1'] }, serve)
      await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve))
      return { port: (server.address() as AddressInfo).port }
    }
    case 'forget':
      arrivals = { eventIds: [], endpoints: [], atMs: [] }
      samples = []
      return {}
    case 'wait since first':
      await firstArrival()
      await sleep(arrivals.atMs[0]! + request.afterMs - nowMs())
      break
    case 'wait for':
      await arrivalOf(request.count, request.limitMs)
      break
    case 'report':
      return { arrivals }
    case 'verify': {
      for (const sample of samples) verify(sample, request.secrets)
      return { verifiedCount: samples.length }
    }
  }
  return { nowMs: nowMs(), arrivedCount: arrivals.atMs.length, lastMs: arrivals.atMs.at(-1) ?? 0 }
}

if (process.send && process.argv[1] === import.meta.filename) answerRequests(act)
