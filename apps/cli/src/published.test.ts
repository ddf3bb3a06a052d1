import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '@querypost/server/testing'
import { preparedDataDirectory } from '../../../test/first-start.ts'
import { quickToCompile } from '../../../test/service-process.ts'
import { capture, secretA, sentAt } from '../testing/captured-requests.ts'

/** Builds the published package and runs it in a folder with nothing but its dependencies, as `npx querypost` does. */
const root = fileURLToPath(new URL('../../../', import.meta.url))
let folder: string
let installed: string

const run = (program: string, args: string[], options: { input?: string; env?: Record<string, string> } = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env['PATH']!, ...options.env }
    const child = execFile(process.execPath, [...quickToCompile, program, ...args], { env, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin!.end(options.input ?? '')
  })
const querypost = () => path.join(installed, 'apps/cli/bin/querypost.mjs')

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-published-'))
  installed = path.join(folder, 'querypost')
  const { code, stderr } = await run(path.join(root, 'apps/cli/scripts/build.mjs'), [installed])
  if (code !== 0) throw new Error(`The package could not be built: ${stderr}`)
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('contains JavaScript and the files it reads, but no tests, and TypeScript only as examples', async () => {
  const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)))
  expect(files.filter((file) => /\.test\.|\/testing\/|(^|\/)test-(?!event\.js)|node_modules/.test(file))).toEqual([])
  expect(files.filter((file) => file.endsWith('.ts') && !/^docs\/|\/examples\//.test(file))).toEqual([])
  const migrations = await readdir(path.join(root, 'apps/server/src/store/migrations'))
  const read = [
    ...migrations.map((name) => `apps/server/src/store/migrations/${name}`),
    'apps/server/src/sample/shop/1-tables.sql',
    'apps/web/dist/index.html',
    'apps/web/dist/viewer.html',
    'docs/configuration.md',
    'packages/webhooks/vectors.json',
    'README.md',
    'LICENSE',
  ]
  expect(files).toEqual(expect.arrayContaining(read))
})

test('the manifest has the name, the Node version and all dependencies', async () => {
  const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as Record<string, unknown>
  expect(manifest).toMatchObject({
    name: 'querypost',
    engines: { node: '>=22.19.0' },
    bin: { querypost: 'apps/cli/bin/querypost.mjs' },
  })
  expect(manifest).not.toHaveProperty('private')
  expect(Object.keys(manifest['dependencies'] as object)).toEqual(
    expect.arrayContaining(['acorn', 'fastify', '@duckdb/node-api']),
  )
  expect(JSON.stringify(manifest['dependencies'])).not.toContain('@querypost/')
})

test('verifies a request', async () => {
  const { headers, body } = await capture()
  const request = `POST / HTTP/1.1\r\n${headers.map((header) => header.join(': ')).join('\r\n')}\r\n\r\n${Buffer.from(body).toString()}`
  const env = { QUERYPOST_WEBHOOK_SECRET: secretA }
  const { code, stdout } = await run(querypost(), ['verify', '--at', sentAt.toISOString()], { input: request, env })
  expect(stdout).toContain('Genuine.')
  expect(code).toBe(0)
})

test('starts, serves pages and documentation, stops; then doctor passes and changes nothing', async () => {
  const env = {
    PATH: process.env['PATH']!,
    PORT: String(await freePort()),
    DATA_DIR: await preparedDataDirectory(),
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
  }
  const service = spawn(process.execPath, [...quickToCompile, querypost(), 'start'], { cwd: folder, env })
  let output = ''
  const ended = new Promise<number | null>((resolve) => service.once('close', resolve))
  const isRunning = new Promise<void>((resolve) => {
    const note = (bytes: Buffer) => {
      output += bytes.toString()
      if (output.includes('Querypost is running at')) resolve()
    }
    service.stdout.on('data', note)
    service.stderr.on('data', note)
  })
  await Promise.race([isRunning, ended])
  expect(output).toContain(`Querypost is running at http://localhost:${env.PORT}`)
  const statuses = ['/healthz', '/', '/docs', '/docs/configuration', '/api/openapi.json'].map(async (place) => {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}${place}`)
    await answer.arrayBuffer()
    return `${place} ${answer.status}`
  })
  expect(await Promise.all(statuses)).toEqual([
    '/healthz 200',
    '/ 200',
    '/docs 200',
    '/docs/configuration 200',
    '/api/openapi.json 200',
  ])
  service.kill('SIGTERM')
  expect(await ended).toBe(0)

  const listed = async () => (await readdir(env.DATA_DIR, { recursive: true })).sort()
  const before = await listed()
  const { code, stdout } = await run(querypost(), ['doctor', '--json'], { env })
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string }[] }
  expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual(
    expect.arrayContaining(['store ok', 'migrations ok', 'database "Sample shop" ok', 'duckdb ok', 'service skipped']),
  )
  expect([code, await listed()]).toEqual([0, before])
  await rm(env.DATA_DIR, { recursive: true, force: true })
})
