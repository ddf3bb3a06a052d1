/**
 * A client that sends requests at a steady pace, each at a random moment of its interval: at regular moments it could keep step with
 * something that the service does regularly. It runs in a child process, so that only the service can delay it.
 */
import { answerRequests, startChild } from '../load/child.ts'
import { type Connection, openConnection } from '../load/connection.ts'

export interface Pulse {
  port: number
  message: Uint8Array
  durationMs: number
  /** 20 ms unless given. */
  everyMs?: number
}

export interface Response {
  /** By the machine's clock, as `performance.timeOrigin + performance.now()`. */
  sentMs: number
  tookMs: number
}

/** Connections that were idle for longer are not reused, because the service closes them. */
const usedWithinMs = 5000
let free: { port: number; connections: { connection: Connection; usedMs: number }[] } = { port: 0, connections: [] }

/** Each request is sent on time, even if the previous one has no response yet. */
async function run({ port, message, durationMs, everyMs = 20 }: Pulse): Promise<Response[]> {
  if (free.port !== port) free = { port, connections: [] }
  const bytes = Buffer.from(message)
  const asked: Promise<Response>[] = []
  const startedMs = performance.now()
  for (let number = 0; number * everyMs < durationMs; number++) {
    const earlyMs = startedMs + (number + Math.random()) * everyMs - performance.now()
    if (earlyMs > 0) await new Promise((resolve) => setTimeout(resolve, earlyMs))
    asked.push(ask(bytes))
  }
  return Promise.all(asked)
}

async function ask(message: Buffer): Promise<Response> {
  const last = free.connections.pop()
  const isFresh = last !== undefined && performance.now() - last.usedMs < usedWithinMs
  const connection = isFresh ? last.connection : await openConnection({ port: free.port })
  const sentMs = performance.now()
  const { status } = await connection.request(message)
  if (status !== 200) throw new Error(`The service answered ${status}.`)
  const answeredMs = performance.now()
  free.connections.push({ connection, usedMs: answeredMs })
  return { sentMs: performance.timeOrigin + sentMs, tookMs: answeredMs - sentMs }
}

export const startPulse = () => startChild<Pulse, Response[]>(new URL(import.meta.url))

if (process.send && process.argv[1] === import.meta.filename) answerRequests(run)
