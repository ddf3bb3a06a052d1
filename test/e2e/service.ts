import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../scripts/build-pages.mjs'

/** The real service, as `npm start` runs it: its own process, its own data, the sample shop. */
export interface Service {
  baseUrl: string
  email: string
  password: string
  apiKey: string
  /** `/api` with the key of the first start. */
  api<Answer>(method: string, path: string): Promise<Answer>
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../../', import.meta.url))

export async function startService(): Promise<Service> {
  buildPages()
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-e2e-'))
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const email = 'ada@querypost.test'
  const password = 'correct horse battery'
  const apiKey = `qp_live_${'e2e'.repeat(12)}`
  const service = spawn(path.join(root, 'node_modules/.bin/node'), ['apps/server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      BOOTSTRAP_EMAIL: email,
      BOOTSTRAP_PASSWORD: password,
      BOOTSTRAP_API_KEY: apiKey,
    },
  })
  let output = ''
  const exited = new Promise<void>((resolve) => {
    service.once('exit', () => resolve())
  })
  await new Promise<void>((resolve, reject) => {
    for (const stream of [service.stdout, service.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output += `${line}\n`
        if (line.includes('Querypost is running at')) resolve()
      })
    }
    void exited.then(() => reject(new Error(`The service did not start:\n${output}`)))
  })
  return {
    baseUrl,
    email,
    password,
    apiKey,
    async api(method, route) {
      const answer = await fetch(`${baseUrl}${route}`, { method, headers: { authorization: `Bearer ${apiKey}` } })
      if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`)
      return answer.json() as never
    },
    async stop() {
      service.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}
