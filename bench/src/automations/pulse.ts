/** A client that sends a request every 20 ms. It runs in a child process, so that only the service can delay it. */
import { answerRequests, startChild } from '../load/child.ts'
import { type Connection, openConnection } from '../load/connection.ts'

export interface Pulse {
  port: number
  message: Uint8Array
  durationMs: number
}

const everyMs = 20
/** Connections that were idle for longer are not reused, because the service closes them. */
const usedWithinMs = 5000
let free: { port: number; connections: { connection: Connection; usedMs: number }[] } = { port: 0, connections: [] }

/** Resolves with the response times. Each request is sent on time, even if the previous one has no response yet. */
async function run({ port, message, durationMs }: Pulse): Promise<number[]> {
  if (free.port !== port) free = { port, connections: [] }
  const bytes = Buffer.from(message)
  const asked: Promise<number>[] = []
  const startedMs = performance.now()
  for (let number = 0; number * everyMs < durationMs; number++) {
    const earlyMs = startedMs + number * everyMs - performance.now()
    if (earlyMs > 0) await new Promise((resolve) => setTimeout(resolve, earlyMs))
    asked.push(ask(bytes))
  }
  return Promise.all(asked)
}

async function ask(message: Buffer): Promise<number> {
  const last = free.connections.pop()
  const isFresh = last !== undefined && performance.now() - last.usedMs < usedWithinMs
  const connection = isFresh ? last.connection : await openConnection({ port: free.port })
  const sentMs = performance.now()
  const { status } = await connection.request(message)
  if (status !== 200) throw new Error(`The service answered ${status}.`)
  const answeredMs = performance.now()
  free.connections.push({ connection, usedMs: answeredMs })
  return answeredMs - sentMs
}

export const startPulse = () => startChild<Pulse, number[]>(new URL(import.meta.url))

if (process.send && process.argv[1] === import.meta.filename) answerRequests(run)
