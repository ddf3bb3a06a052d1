import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** A service process on loopback, and the time from its start until it was ready. */
export interface Service {
  port: number
  pid: number
  dataDirectory: string
  readyMs: number
  stop(): Promise<void>
}

export const apiKey = 'qp_live_0123456789abcdefghijABCDEFGHIJ01'
export const secretKey = 'only for the benchmark, never for real'
export const password = 'correct horse battery staple'
export const email = 'admin@localhost'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readyWithinMs = 120_000

export async function startService(options: {
  dataDirectory: string
  databaseUrl?: string
  /** Additional settings. */
  environment?: Record<string, string>
}): Promise<Service> {
  const port = await freePort()
  // For profiling: BENCH_SERVICE_FLAGS="--cpu-prof --cpu-prof-dir=/tmp/profiles".
  const flags = process.env['BENCH_SERVICE_FLAGS']?.split(' ') ?? []
  const startedMs = performance.now()
  const child = spawn(process.execPath, [...flags, 'apps/cli/bin/querypost.mjs', 'start'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATA_DIR: options.dataDirectory,
      ...(options.databaseUrl && { DATABASE_URL: options.databaseUrl }),
      LOG_LEVEL: 'error',
      SECRET_KEY: secretKey,
      BOOTSTRAP_EMAIL: email,
      BOOTSTRAP_PASSWORD: password,
      BOOTSTRAP_API_KEY: apiKey,
      ...options.environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`The service exited with ${child.exitCode}.`)
    if (performance.now() - startedMs > readyWithinMs) throw new Error('The service did not become ready.')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return {
    port,
    pid: child.pid!,
    dataDirectory: options.dataDirectory,
    readyMs: performance.now() - startedMs,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
