import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installLibrary, type InstalledLibrary } from '../../../test/installed-library.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
let library: InstalledLibrary
let project: string
let installed: string

beforeAll(async () => {
  library = await installLibrary({ name: '@querypost/webhooks', folder })
  ;({ project, installed } = library)
})
afterAll(() => library.remove())

async function runFile(name: string, code: string): Promise<unknown> {
  await writeFile(path.join(project, name), code)
  const { stdout } = await run(process.execPath, [path.join(project, name)], { cwd: project })
  return JSON.parse(stdout)
}

const checkVectors = `
  async function check({ verify, WebhookVerificationError }, { vectors }) {
    const wrong = []
    for (const { name, body, bodyBase64, headers, secrets, now, toleranceSeconds, expected } of vectors) {
      const raw = body ?? Uint8Array.from(atob(bodyBase64), (letter) => letter.charCodeAt(0))
      const options = { body: raw, headers, secret: secrets, now: new Date(now * 1000), toleranceSeconds }
      const outcome = await verify(options).then(
        (event) => event.id === expected.eventId,
        (error) => error instanceof WebhookVerificationError && error.code === expected.code,
      )
      if (!outcome) wrong.push(name)
    }
    console.log(JSON.stringify({ total: vectors.length, wrong }))
  }`

test('contains JavaScript, declarations, vectors, examples and license; no tests, no dependencies', async () => {
  const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)))
  const others = files.filter((file) => !/^[\w-]+\.(js|d\.ts)$/.test(file))
  const examples = ['express', 'fastify', 'fetch'].map((name) => `examples/${name}.ts`)
  expect(others.sort()).toEqual(['LICENSE', 'README.md', ...examples, 'package.json', 'vectors.json'])
  expect(files.filter((file) => file.includes('test'))).toEqual([])
  const description: unknown = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'))
  expect(description).not.toHaveProperty('dependencies')
  expect(description).not.toHaveProperty('private')
  expect(description).not.toHaveProperty('scripts')
})

test('can be imported in plain Node, and agrees with its vectors', async () => {
  const outcome = await runFile(
    'imports.mjs',
    `import * as library from '@querypost/webhooks'
     import vectors from '@querypost/webhooks/vectors.json' with { type: 'json' }
     ${checkVectors}
     await check(library, vectors)`,
  )
  expect(outcome).toEqual({ total: expect.any(Number) as number, wrong: [] })
  expect((outcome as { total: number }).total).toBeGreaterThan(25)
})

test('CommonJS requires it', async () => {
  const outcome = await runFile(
    'requires.cjs',
    `${checkVectors}
     check(require('@querypost/webhooks'), require('@querypost/webhooks/vectors.json'))`,
  )
  expect(outcome).toMatchObject({ wrong: [] })
})

test('the TypeScript of the README compiles against its declarations, without the types of Node', async () => {
  const readme = await readFile(path.join(installed, 'README.md'), 'utf8')
  const blocks = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code!)
  expect(blocks.length).toBeGreaterThan(3)
  await Promise.all(blocks.map((code, index) => writeFile(path.join(project, `readme-${index}.ts`), code)))
  await writeFile(
    path.join(project, 'around.d.ts'),
    `declare function store(...what: unknown[]): Promise<void>
     declare const process: { env: Record<string, string | undefined> }`,
  )
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    noEmit: true,
  }
  const config = path.join(project, 'tsconfig.json')
  await writeFile(config, JSON.stringify({ compilerOptions, include: ['readme-*.ts', 'around.d.ts'] }))
  const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))
  const check = () =>
    run(process.execPath, [compiler, '-p', config]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
  expect(await check()).toBe('')
  await writeFile(path.join(project, 'readme-wrong.ts'), blocks[0]!.replace('event.data.summary', 'event.data.reason'))
  expect(await check()).toContain("Property 'reason' does not exist")
})
