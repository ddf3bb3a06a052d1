import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findClickhouse } from '../../../../scripts/test-programs.mjs'
import { freePorts } from './free-ports.ts'
import { pollPause } from '../poll-pause.ts'

/** A real ClickHouse server on loopback in its own folder: Debian's `clickhouse-server`, 18.16. */
export interface ClickhouseServer {
  httpPort: number
  httpsPort: number
  tcpPort: number
  /** Runs a statement as the administrator and returns the response text. Throws the server's error. */
  command(sql: string): Promise<string>
  /** Stops the server and keeps its folder. A `crash` is kill -9. */
  interrupt(how: 'shutdown' | 'crash'): Promise<void>
  /** Restarts an interrupted server on the same folder and ports. */
  resume(): Promise<void>
  stop(): Promise<void>
}

/** A user whose profile has no restrictions. */
export const testUser = { user: 'reader', password: 'correct "horse" é' }
/** A user whose profile is read-only. */
export const readOnlyUser = { user: 'locked', password: testUser.password }

export const hasClickhouse = findClickhouse() !== undefined

export interface ClickhousePorts {
  httpPort: number
  httpsPort: number
  tcpPort: number
}

export const freeClickhousePorts = async (): Promise<ClickhousePorts> => {
  const [httpPort, httpsPort, tcpPort] = await freePorts(3)
  return { httpPort: httpPort!, httpsPort: httpsPort!, tcpPort: tcpPort! }
}

export async function startClickhouseServer(options: {
  ports?: ClickhousePorts
  /** The body of `remote_servers`, for a cluster. */
  clusters?: string
  timeZone?: string
  tls?: { key: string; cert: string }
} = {}): Promise<ClickhouseServer> {
  const program = findClickhouse()
  if (!program) throw new Error('clickhouse-server is not installed.')
  const ports = options.ports ?? (await freeClickhousePorts())
  const home = await mkdtemp(path.join(tmpdir(), 'querypost-clickhouse-'))
  await mkdir(path.join(home, 'files'))
  await writeFile(path.join(home, 'users.xml'), usersXml)
  if (options.tls) {
    await writeFile(path.join(home, 'server.key'), options.tls.key)
    await writeFile(path.join(home, 'server.crt'), options.tls.cert)
  }
  const { clusters = '', timeZone = 'UTC' } = options
  const config = path.join(home, 'config.xml')
  await writeFile(config, configXml({ home, ports, clusters, timeZone, hasTls: options.tls !== undefined }))
  const base = `http://127.0.0.1:${ports.httpPort}`

  async function start(): Promise<ChildProcess> {
    const server = spawn(program!, [`--config-file=${config}`], { cwd: home, env: {}, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    server.stderr.on('data', (bytes: Buffer) => {
      output = (output + bytes.toString()).slice(-4096)
    })
    for (;;) {
      if (server.exitCode !== null || server.signalCode !== null) throw new Error(`clickhouse-server ended:\n${output}`)
      const answer = await fetch(`${base}/ping`).catch(() => undefined)
      if (answer?.ok) return server
      await pollPause()
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill(signal)
    await ended
  }

  let server = await start()
  return {
    ...ports,
    async command(sql) {
      const answer = await fetch(base, { method: 'POST', body: sql })
      const text = await answer.text()
      if (!answer.ok) throw new Error(text)
      return text
    },
    interrupt: (how) => end(how === 'crash' ? 'SIGKILL' : 'SIGTERM'),
    async resume() {
      server = await start()
    },
    async stop() {
      await end('SIGKILL')
      await rm(home, { recursive: true, force: true })
    },
  }
}

const usersXml = `<?xml version="1.0"?>
<yandex>
  <profiles>
    <default><max_memory_usage>1000000000</max_memory_usage><max_threads>2</max_threads></default>
    <locked><readonly>1</readonly><max_threads>2</max_threads></locked>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
    </default>
    ${[[testUser, 'default'] as const, [readOnlyUser, 'locked'] as const]
      .map(
        ([{ user, password }, profile]) => `<${user}>
      <password>${password}</password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota>
    </${user}>`,
      )
      .join('\n    ')}
  </users>
</yandex>
`

function configXml(options: {
  home: string
  ports: ClickhousePorts
  clusters: string
  timeZone: string
  hasTls: boolean
}): string {
  const { home, ports, clusters, timeZone, hasTls } = options
  const tls = `<https_port>${ports.httpsPort}</https_port>
  <openSSL><server>
    <certificateFile>${home}/server.crt</certificateFile><privateKeyFile>${home}/server.key</privateKeyFile>
    <verificationMode>none</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile>
  </server></openSSL>`
  return `<?xml version="1.0"?>
<yandex>
  <logger><level>error</level><console>1</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${ports.httpPort}</http_port>
  <tcp_port>${ports.tcpPort}</tcp_port>
  ${hasTls ? tls : ''}
  <keep_alive_timeout>10</keep_alive_timeout>
  <mark_cache_size>67108864</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <path>${home}/data/</path>
  <tmp_path>${home}/tmp/</tmp_path>
  <user_files_path>${home}/files/</user_files_path>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>${timeZone}</timezone>
  <remote_servers>${clusters}</remote_servers>
</yandex>
`
}

/** All at once, so that none is given twice. */
