import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** A Redis server on loopback in its own folder, from Debian's package `redis-server`. */
export interface RedisServer {
  url: string
  pid: number
  stop(): Promise<void>
}

/** Null if it is not installed. */
export async function redisVersion(): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('redis-server', ['--version'])
    return /v=(\S+)/.exec(stdout)?.[1] ?? 'unknown'
  } catch {
    return null
  }
}

/**
 * `always`: acknowledged writes are on disk, as with PostgreSQL. `everysec`: a power failure may lose the last second; BullMQ's
 * documentation considers that sufficient for most.
 */
export type Fsync = 'always' | 'everysec'

export async function startRedis(options: { folder: string; fsync: Fsync }): Promise<RedisServer> {
  await mkdir(options.folder, { recursive: true })
  const port = await freePort()
  const settings = {
    bind: '127.0.0.1',
    port,
    dir: options.folder,
    save: '',
    appendonly: 'yes',
    appendfsync: options.fsync,
    'maxmemory-policy': 'noeviction',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await ready(server)
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: server.pid!,
    async stop() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    createInterface(server.stdout!).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve()
    })
    server.once('exit', (code) => reject(new Error(`Redis exited with ${code}.`)))
  })
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
