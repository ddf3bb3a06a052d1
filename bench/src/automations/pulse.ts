/** A client that asks every 20 ms, for a while. A process of its own, so that nothing but the service makes it wait. */
import { answerRequests, startChild } from '../load/child.ts'
import { type Connection, openConnection } from '../load/connection.ts'

export interface Pulse {
  port: number
  message: Uint8Array
  durationMs: number
}

const everyMs = 20
/** The service closes connections that nobody uses for long: those are left alone. */
const usedWithinMs = 5000
let free: { port: number; connections: { connection: Connection; usedMs: number }[] } = { port: 0, connections: [] }

/**
 * How long each answer took. A request is sent when its time has come, whether the one before has been answered or not.
 */
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
  if (status !== 200) throw new Error(`The answer was ${status}.`)
  const answeredMs = performance.now()
  free.connections.push({ connection, usedMs: answeredMs })
  return answeredMs - sentMs
}

export const startPulse = () => startChild<Pulse, number[]>(new URL(import.meta.url))

if (process.send && process.argv[1] === import.meta.filename) answerRequests(run)
