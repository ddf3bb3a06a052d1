import { spawn } from 'node:child_process'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { findPgbouncer } from '../../../../scripts/test-programs.mjs'
import { endWithUs } from './end-with-us.ts'
import { freePort } from './free-ports.ts'
import { untilReady } from './until-ready.ts'

/** PgBouncer in front of a PostgreSQL server, pooling transactions, from Debian's package `pgbouncer`. */
export interface Pgbouncer {
  /** The address of a database through PgBouncer. */
  throughPooler(databaseUrl: string): string
  stop(): Promise<void>
}

export const hasPgbouncer = findPgbouncer() !== undefined

/** Few, but more than the transactions that a test keeps open at once. */
const serverConnections = 8
/** PgBouncer refuses to run as root. This user exists on every Linux and owns nothing. */
const nobody = { uid: 65534, gid: 65534 }

export async function startPgbouncer(serverUrl: string): Promise<Pgbouncer> {
  const program = findPgbouncer()
  if (program === undefined) throw new Error('pgbouncer is not installed.')
  const identity = userInfo().uid === 0 ? nobody : undefined
  const home = await mkdtemp(path.join(tmpdir(), 'querypost-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort, username } = new URL(serverUrl)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: serverConnections,
    // Without it, a client that is alone gets the same connection again and again.
    server_round_robin: 1,
    max_client_conn: 500,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const file = path.join(home, 'pgbouncer.ini')
  await writeFile(file, ['[databases]', `* = host=${hostname} port=${serverPort} user=${username}`, '[pgbouncer]', ...lines, ''].join('\n'))
  if (identity) for (const each of [home, file]) await chown(each, identity.uid, identity.gid)
  const pooler = spawn(program, [file], { ...identity, env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  endWithUs(pooler)
  await untilReady(pooler, { name: 'PgBouncer', text: 'process up' })
  return {
    throughPooler(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    async stop() {
      const ended = new Promise((resolve) => pooler.once('exit', resolve))
      pooler.kill('SIGKILL')
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Makes PgBouncer open all its connections: it opens one only when the others are busy. */
export async function openServerConnections(url: string): Promise<void> {
  const clients = Array.from({ length: serverConnections }, () => new pg.Client(url))
  for (const client of clients) {
    await client.connect()
    await client.query('begin')
    await client.query('select 1')
  }
  // PgBouncer closes the connection of a client that leaves in a transaction.
  for (const client of clients) await client.query('commit')
  for (const client of clients) await client.end()
}
