import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createConnection, type Connection } from 'mysql2'
import { findMariadb } from '../../../../scripts/test-programs.mjs'
import { endWithUs } from './end-with-us.ts'
import { freePort } from './free-ports.ts'
import { untilReady } from './until-ready.ts'

/** A real MariaDB server on loopback in its own folder, from Debian's package `mariadb-server-core`. */
export interface MariadbServer {
  port: number
  /** Runs a statement as `root` over a separate connection, which is reopened after an interruption. */
  rows(sql: string): Promise<unknown[][]>
  /**
   * Stops the server and keeps its folder. A `shutdown` closes its clients' connections and flushes everything to disk; a `crash` is
   * kill -9.
   */
  interrupt(how: 'shutdown' | 'crash'): Promise<void>
  /** Restarts an interrupted server on the same folder and port. Resolves when it accepts connections. */
  resume(): Promise<void>
  stop(): Promise<void>
}

export interface MariadbOptions {
  /** PEM. Enables TLS for clients that request it. */
  tls?: { key: string; cert: string }
  /** Server settings by command-line name: `{ 'sql-mode': 'ANSI_QUOTES' }`. */
  settings?: Record<string, string>
}

export const hasMariadb = findMariadb() !== undefined

/** Minimal settings: 0.5 s for a new folder and 0.2 s to start, on two cores. */
const cheap = {
  'innodb-data-file-path': 'ibdata1:2M:autoextend',
  'innodb-temp-data-file-path': 'ibtmp1:1M:autoextend',
  'innodb-autoextend-increment': '1',
  'innodb-log-file-size': '4M',
  'innodb-buffer-pool-size': '16M',
  'innodb-flush-method': 'nosync',
  'innodb-flush-log-at-trx-commit': '0',
  'innodb-doublewrite': '0',
  'innodb-use-native-aio': '0',
  // Skip the purge at shutdown. Replaying the log at the next start takes less time.
  'innodb-fast-shutdown': '2',
  'innodb-buffer-pool-dump-at-shutdown': '0',
  'innodb-buffer-pool-load-at-startup': '0',
  'performance-schema': '0',
  'log-warnings': '0',
}

export async function startMariadbServer(options: MariadbOptions = {}): Promise<MariadbServer> {
  const program = findMariadb()
  if (program === undefined) throw new Error('mariadbd is not installed.')
  const home = await mkdtemp(path.join(tmpdir(), 'querypost-mariadb-'))
  const folder = path.join(home, 'data')
  await mkdir(folder)
  const flags = flagsOf({ ...cheap, datadir: folder })
  await bootstrap({ program, flags })

  const port = await freePort()
  const own: Record<string, string> = {
    port: String(port),
    'bind-address': '127.0.0.1',
    socket: path.join(home, 'socket'),
    'pid-file': path.join(home, 'pid'),
    ...options.settings,
  }
  if (options.tls) {
    for (const name of ['key', 'cert'] as const) {
      own[`ssl-${name}`] = path.join(home, `${name}.pem`)
      await writeFile(own[`ssl-${name}`]!, options.tls[name], { mode: 0o600 })
    }
  }
  const start = async () => {
    const server = spawn(program, [...flags, ...flagsOf(own), '--skip-log-bin', '--skip-name-resolve'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    endWithUs(server)
    await untilReady(server, { name: 'MariaDB', text: 'ready for connections' })
    return server
  }
  let server = await start()
  let root: Connection | undefined
  const disconnect = () => {
    root?.destroy()
    root = undefined
  }
  return {
    port,
    rows(sql) {
      root ??= createConnection({ host: '127.0.0.1', port, user: 'root', rowsAsArray: true, timezone: 'Z' })
      // Handles the error when the server closes an idle connection.
      root.removeAllListeners('error').on('error', disconnect)
      return new Promise((resolve, reject) => {
        root!.query({ sql }, (error, rows) => (error ? reject(error) : resolve(rows as unknown[][])))
      })
    },
    async interrupt(how) {
      disconnect()
      await end(server, how === 'shutdown' ? 'SIGTERM' : 'SIGKILL')
    },
    async resume() {
      server = await start()
    },
    async stop() {
      disconnect()
      // Its folder is removed, so nothing needs to be flushed.
      await end(server, 'SIGKILL')
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** `--no-defaults` must come first. Running as root must be confirmed with `--user=root`. */
function flagsOf(settings: Record<string, string>): string[] {
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  if (settings['datadir'] === undefined) return flags
  return ['--no-defaults', ...(userInfo().uid === 0 ? ['--user=root'] : []), ...flags]
}

/** Creates the system tables as `mariadb-install-db` does. That script needs programs from another package. */
async function bootstrap({ program, flags }: { program: string; flags: string[] }): Promise<void> {
  const statements = ['create database mysql;', 'use mysql;', 'set @auth_root_socket = null;']
  for (const name of ['mysql_system_tables.sql', 'mysql_system_tables_data.sql']) {
    statements.push(await readFile(path.join(path.dirname(program), '..', 'share', 'mysql', name), 'utf8'))
  }
  // Allow any address, because the server only listens on loopback.
  statements.push("update global_priv set Host = '%' where User = 'root' and Host = '127.0.0.1';")
  const bootstrapping = spawn(program, [...flags, '--bootstrap', '--skip-log-bin', '--max-allowed-packet=8M'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const errorLines: string[] = []
  createInterface(bootstrapping.stderr).on('line', (line) => errorLines.push(line))
  bootstrapping.stdin.end(`${statements.join('\n')}\n`)
  const code = await new Promise<number | null>((resolve) => bootstrapping.once('exit', resolve))
  if (code !== 0) throw new Error(`MariaDB could not create its system tables (${code}):\n${errorLines.join('\n')}`)
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill(signal)
  await ended
}
