import { type ChildProcess, spawn } from 'node:child_process'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findTrino } from '../../../../scripts/install-trino.mjs'
import { pollPause } from '../poll-pause.ts'
import { type Authority, makeAuthority } from './certificates.ts'
import { freePorts } from './free-ports.ts'

/** A real Trino server on loopback, with the catalogs `memory` and `tpch`. It takes 20 seconds to start. */
export interface TrinoServer {
  /** With passwords. */
  httpsPort: number
  authority: Authority
  /** Runs a statement as an administrator and returns its rows. Throws the server's error. */
  rows(sql: string): Promise<unknown[][]>
  /** Stops the server and keeps its folder. The tables in its memory are lost. */
  interrupt(): Promise<void>
  /** Restarts an interrupted server on the same ports. */
  resume(): Promise<void>
  stop(): Promise<void>
}

export const trinoReader = { user: 'reader', password: 'correct horse battery staple' }

export const hasTrino = findTrino() !== undefined

interface Page {
  nextUri?: string
  data?: unknown[][]
  error?: { message: string }
}

export async function startTrinoServer(): Promise<TrinoServer> {
  const found = findTrino()
  if (!found) throw new Error('Trino is not installed. `npm run engines` installs it.')
  const [httpPort, httpsPort] = await freePorts(2)
  const home = await mkdtemp(path.join(tmpdir(), 'querypost-trino-'))
  const authority = await makeAuthority()
  await configure({ home, plugins: path.join(found.home, 'plugin'), httpPort: httpPort!, httpsPort: httpsPort!, authority })
  const base = `http://127.0.0.1:${httpPort}`

  async function rows(sql: string): Promise<unknown[][]> {
    const headers = { 'x-trino-user': 'admin', 'x-trino-catalog': 'memory', 'x-trino-schema': 'shop' }
    let page = (await (await fetch(`${base}/v1/statement`, { method: 'POST', headers, body: sql })).json()) as Page
    const read: unknown[][] = []
    for (;;) {
      if (page.error) throw new Error(page.error.message)
      for (const row of page.data ?? []) read.push(row)
      if (page.nextUri === undefined) return read
      page = (await (await fetch(page.nextUri, { headers })).json()) as Page
    }
  }

  async function start(): Promise<ChildProcess> {
    const { java } = found!
    const options = ['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', `-Dconfig=${home}/config.properties`]
    const identity = ['-Dnode.environment=test', '-Dnode.id=test', `-Dnode.data-dir=${home}/data`]
    const server = spawn(java, [...options, ...identity, '-cp', `${found!.home}/lib/*`, 'io.trino.server.TrinoServer'], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (bytes: Buffer) => {
        output = (output + bytes.toString()).slice(-8192)
      })
    }
    for (;;) {
      if (server.exitCode !== null || server.signalCode !== null) throw new Error(`Trino ended:\n${output}`)
      const isReady = await rows('select count(*) from tpch.tiny.nation').then(
        () => true,
        () => false,
      )
      if (isReady) return server
      await pollPause()
    }
  }

  async function end(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await ended
  }

  let server = await start()
  return {
    httpsPort: httpsPort!,
    authority,
    rows,
    interrupt: end,
    async resume() {
      server = await start()
    },
    async stop() {
      await end()
      await rm(home, { recursive: true, force: true })
    },
  }
}

interface Configuration {
  home: string
  plugins: string
  httpPort: number
  httpsPort: number
  authority: Authority
}

async function configure({ home, plugins, httpPort, httpsPort, authority }: Configuration): Promise<void> {
  const { key, cert } = await authority.issue({ names: ['warehouse.test'] })
  const files: Record<string, string> = {
    'config.properties': lines({
      coordinator: 'true',
      'node-scheduler.include-coordinator': 'true',
      'http-server.http.port': String(httpPort),
      'http-server.https.enabled': 'true',
      'http-server.https.port': String(httpsPort),
      'http-server.https.keystore.path': `${home}/server.pem`,
      'http-server.authentication.type': 'PASSWORD',
      // For the statements of the tests themselves.
      'http-server.authentication.allow-insecure-over-http': 'true',
      'internal-communication.shared-secret': 'only for tests',
      'discovery.uri': `http://127.0.0.1:${httpPort}`,
      'catalog.config-dir': `${home}/catalog`,
      'plugin.dir': plugins,
      'password-authenticator.config-files': `${home}/passwords.properties`,
      'query.max-memory': '512MB',
      'query.max-memory-per-node': '256MB',
    }),
    'passwords.properties': lines({ 'password-authenticator.name': 'file', 'file.password-file': `${home}/password.db` }),
    'password.db': `${trinoReader.user}:${hashed(trinoReader.password)}\n`,
    'server.pem': key + cert,
    'catalog/memory.properties': lines({ 'connector.name': 'memory', 'memory.max-data-per-node': '128MB' }),
    'catalog/tpch.properties': lines({ 'connector.name': 'tpch' }),
  }
  await mkdir(path.join(home, 'catalog'))
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(home, name), text)
}

const lines = (properties: Record<string, string>) =>
  Object.entries(properties).map(([name, value]) => `${name}=${value}\n`).join('')

/** PBKDF2, as the server's password file has it. */
function hashed(password: string): string {
  const salt = randomBytes(16)
  const iterations = 1000
  return `${iterations}:${salt.toString('hex')}:${pbkdf2Sync(password, salt, iterations, 64, 'sha1').toString('hex')}`
}
