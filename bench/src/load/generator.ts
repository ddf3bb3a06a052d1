/** Generates load: each connection sends the next request after the response. Runs in a child process. */
import { median, quantile } from '../statistics.ts'
import { answerRequests, startChild } from './child.ts'
import { openConnection } from './connection.ts'

export interface Load {
  port: number
  message: Uint8Array
  connections: number
  durationMs: number
}

export interface LoadFigures {
  requests: number
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** The share of a core that this process used. Near 1, the client was the bottleneck. */
  clientCores: number
}

async function run(load: Load): Promise<LoadFigures> {
  const message = Buffer.from(load.message)
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => openConnection({ port: load.port })),
  )
  const latenciesMs: number[] = []
  const cpuBefore = process.cpuUsage()
  const startedMs = performance.now()
  const endMs = startedMs + load.durationMs
  await Promise.all(
    connections.map(async (connection) => {
      for (let sentMs = performance.now(); sentMs < endMs; ) {
        const { status } = await connection.request(message)
        if (status !== 200) throw new Error(`The server answered ${status}.`)
        const nowMs = performance.now()
        latenciesMs.push(nowMs - sentMs)
        sentMs = nowMs
      }
    }),
  )
  const elapsedMs = performance.now() - startedMs
  const { user, system } = process.cpuUsage(cpuBefore)
  for (const connection of connections) connection.close()
  return {
    requests: latenciesMs.length,
    requestsPerSecond: (latenciesMs.length / elapsedMs) * 1000,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    clientCores: (user + system) / 1000 / elapsedMs,
  }
}

/** The median of a figure over all rounds. */
export const figureOf = (rounds: readonly LoadFigures[], name: keyof LoadFigures) =>
  median(rounds.map((round) => round[name]))

export const startGenerator = () => startChild<Load, LoadFigures>(new URL(import.meta.url))

if (process.send && process.argv[1] === import.meta.filename) answerRequests(run)
