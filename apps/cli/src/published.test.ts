import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, startMailServer } from '@querypost/server/testing'
import { packageFolderOf } from '../../../scripts/bundled-licenses.mjs'
import { bundleFolder, publishedBundleFolder, unbundledPackages } from '../../../scripts/service-bundle.mjs'
import { preparedDataDirectory, preparedEmail } from '../../../test/first-start.ts'
import { quickToCompile, testPassword } from '../../../test/service-process.ts'
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
  for (const name of unbundledPackages) {
    const link = path.join(folder, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(path.join(root, 'node_modules', name), link)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('contains JavaScript and the files it reads, but no tests, and TypeScript only as examples', async () => {
  const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)))
  expect(files.filter((file) => /\.test\.|\/testing\/|(^|\/)test-(?!event\.js)|node_modules/.test(file))).toEqual([])
  expect(files.filter((file) => file.endsWith('.ts') && !/^docs\/|\/examples\//.test(file))).toEqual([])
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
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

test('the manifest has the name, the Node version, and the packages that are not bundled in the versions of the repository', async () => {
  const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as Record<string, unknown>
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string }> }
  expect(manifest).toMatchObject({
    name: 'querypost',
    engines: { node: '>=22.19.0' },
    bin: { querypost: 'apps/cli/bin/querypost.mjs' },
    dependencies: Object.fromEntries(unbundledPackages.map((name) => [name, packages[`node_modules/${name}`]!.version])),
  })
  expect(manifest).not.toHaveProperty('private')
})

test('the bundle does not import node:http, for which Node would load its own HTTP client', async () => {
  const service = path.join(installed, publishedBundleFolder)
  const modules = (await readdir(service)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(modules.map((name) => readFile(path.join(service, name), 'utf8')))
  expect(texts.filter((text) => text.includes('getBuiltinModule("node:http")'))).not.toEqual([])
  expect(modules.filter((_name, index) => /^import\b[^;]*"(node:)?http"/m.test(texts[index]!))).toEqual([])
})

test('contains the licenses of all packages whose code is in the bundle or in the web app', async () => {
  const bundle = bundleFolder()
  const maps = (await readdir(bundle)).filter((name) => name.endsWith('.map')).map((name) => path.join(bundle, name))
  const sources = await Promise.all(maps.map(async (file) => (JSON.parse(await readFile(file, 'utf8')) as { sources: string[] }).sources))
  const inBundle = sources.flat().map((source) => packageFolderOf(path.resolve(bundle, source))).filter((found) => found !== undefined)
  const folders = new Set([...inBundle, ...['react', 'react-dom', '@codemirror/view'].map((name) => path.join(root, 'node_modules', name))])
  const titles = Array.from(folders, async (packageFolder) => {
    const { name, version } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as Record<string, string>
    return `${name} ${version}`
  })
  const licenses = await readFile(path.join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  expect(inBundle).toContain(path.join(root, 'node_modules/fastify'))
  expect((await Promise.all(titles)).filter((title) => !licenses.includes(`\n${title} (`) && !licenses.includes(`\n${title}\n`))).toEqual([])
  expect(licenses).toContain('Copyright (c) 2016-present The Fastify')
  expect(licenses).toContain('Apache ECharts\nCopyright')
})

test('verifies a request', async () => {
  const { headers, body } = await capture()
  const request = `POST / HTTP/1.1\r\n${headers.map((header) => header.join(': ')).join('\r\n')}\r\n\r\n${Buffer.from(body).toString()}`
  const env = { QUERYPOST_WEBHOOK_SECRET: secretA }
  const { code, stdout } = await run(querypost(), ['verify', '--at', sentAt.toISOString()], { input: request, env })
  expect(stdout).toContain('Genuine.')
  expect(code).toBe(0)
})

/** Uses the libraries and programs that the service loads when they are first needed. */
async function useAll(baseUrl: string): Promise<string[]> {
  const signedIn = await fetch(`${baseUrl}/app/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: preparedEmail, password: testPassword }),
  })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const send = (method: string, route: string) => fetch(`${baseUrl}${route}`, { method, headers: { cookie } })
  const upload = (route: string, body: string) =>
    fetch(`${baseUrl}${route}`, { method: 'POST', headers: { cookie, 'content-type': 'application/octet-stream' }, body })
  const read = async <Answer>(method: string, route: string) => (await send(method, route)).json() as Promise<Answer>
  const describeAnswer = async (answer: Response) => `${answer.status} ${Buffer.from(await answer.arrayBuffer()).toString('latin1').slice(0, 4)}`

  const uploads = await read<{ id: string }>('POST', '/app/api/databases/uploads')
  const boards = await read<{ items: { shortId: string }[] }>('GET', '/app/api/boards')
  const queries = await read<{ items: { latestRun: { id: string } | null }[] }>('GET', '/app/api/queries')
  const answers = [
    await upload(`/app/api/databases/${uploads.id}/tables?name=cities&format=csv`, 'city,people\nCologne,1080000\n'),
    await send('GET', `/app/api/boards/${boards.items[0]!.shortId}/export?format=pdf`),
    await send('GET', `/app/api/runs/${queries.items.find(({ latestRun }) => latestRun)!.latestRun!.id}/result?format=parquet`),
    await send('POST', '/app/api/notifications/test-email'),
  ]
  return Promise.all(answers.map(describeAnswer))
}

test('starts, serves pages and documentation, imports, exports, sends e-mail, stops; then doctor passes and changes nothing', async () => {
  const mail = await startMailServer()
  const env = {
    PATH: process.env['PATH']!,
    PORT: String(await freePort()),
    DATA_DIR: await preparedDataDirectory(),
    LOG_LEVEL: 'warn',
    SMTP_URL: mail.url,
    SMTP_FROM: 'querypost@example.com',
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
  expect(await useAll(`http://127.0.0.1:${env.PORT}`)).toEqual(['201 {"sc', '200 %PDF', '200 PAR1', '200 {"ok'])
  expect(mail.emails).toHaveLength(1)
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
  await mail.close()
  await rm(env.DATA_DIR, { recursive: true, force: true })
})
