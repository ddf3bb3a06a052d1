import { type ChildProcess, spawn } from 'node:child_process'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findTrino } from '../../../../scripts/install-trino.mjs'
import { pollPause } from '../poll-pause.ts'
import { type Authority, makeAuthority } from './certificates.ts'
import { freePorts } from './free-ports.ts'

/** A real Trino server on loopback, with the catalogs `memory` and `tpch`. It takes 20 seconds to start. */
export interface TrinoServer {
  pid(): number
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

export interface TrinoOptions {
  /** The size of the Java heap, for a server that is measured: with the compilers, the garbage collector and the limits of production. */
  heapMb?: number
  /** More catalogs: the properties of each by its name. */
  catalogs?: Record<string, Record<string, string>>
  /** A folder with the plugins that these catalogs need. */
  connectors?: string
}

export const trinoReader = { user: 'reader', password: 'correct horse battery staple' }

export const hasTrino = findTrino() !== undefined

interface Page {
  nextUri?: string
  data?: unknown[][]
  error?: { message: string }
}

/** Minimal settings, for a short start. */
const cheap = {
  flags: ['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  limits: { 'query.max-memory': '512MB', 'query.max-memory-per-node': '256MB' },
}

export async function startTrinoServer({ heapMb, catalogs = {}, connectors }: TrinoOptions = {}): Promise<TrinoServer> {
  const found = findTrino()
  if (!found) throw new Error('Trino is not installed. `npm run engines` installs it.')
  const [httpPort, httpsPort] = await freePorts(2)
  const home = await mkdtemp(path.join(tmpdir(), 'querypost-trino-'))
  const authority = await makeAuthority()
  const plugins = [path.join(found.home, 'plugin'), ...(connectors ? [connectors] : [])]
  const limits = heapMb ? {} : cheap.limits
  await configure({ home, plugins, catalogs, limits, httpPort: httpPort!, httpsPort: httpsPort!, authority })
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
    const flags = heapMb ? [`-Xmx${heapMb}m`, '-XX:+UseG1GC'] : cheap.flags
    const identity = [`-Dconfig=${home}/config.properties`, '-Dnode.environment=test', '-Dnode.id=test', `-Dnode.data-dir=${home}/data`]
    const server = spawn(java, [...flags, ...identity, '-cp', `${found!.home}/lib/*`, 'io.trino.server.TrinoServer'], {
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
    pid: () => server.pid!,
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
  /** Folders with a folder for each plugin. */
  plugins: string[]
  catalogs: Record<string, Record<string, string>>
  limits: Record<string, string>
  httpPort: number
  httpsPort: number
  authority: Authority
}

async function configure({ home, plugins, catalogs, limits, httpPort, httpsPort, authority }: Configuration): Promise<void> {
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
      'plugin.dir': `${home}/plugin`,
      'password-authenticator.config-files': `${home}/passwords.properties`,
      ...limits,
    }),
    'passwords.properties': lines({ 'password-authenticator.name': 'file', 'file.password-file': `${home}/password.db` }),
    'password.db': `${trinoReader.user}:${hashed(trinoReader.password)}\n`,
    'server.pem': key + cert,
    'catalog/memory.properties': lines({ 'connector.name': 'memory', 'memory.max-data-per-node': '128MB' }),
    'catalog/tpch.properties': lines({ 'connector.name': 'tpch' }),
  }
  for (const [name, properties] of Object.entries(catalogs)) files[`catalog/${name}.properties`] = lines(properties)
  await mkdir(path.join(home, 'catalog'))
  await mkdir(path.join(home, 'plugin'))
  for (const folder of plugins) {
    for (const plugin of await readdir(folder)) await symlink(path.join(folder, plugin), path.join(home, 'plugin', plugin))
  }
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
