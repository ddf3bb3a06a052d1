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
  library = await installLibrary({ name: '@querypost/client', folder })
  ;({ project, installed } = library)
})
afterAll(() => library.remove())

test('contains JavaScript, declarations, README and license; no tests, no dependencies', async () => {
  const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)))
  const others = files.filter((file) => !/^([\w-]+\/)?[\w-]+\.(js|d\.ts)$/.test(file))
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
  expect(files.filter((file) => file.includes('test'))).toEqual([])
  const description: unknown = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'))
  for (const key of ['dependencies', 'private', 'scripts']) expect(description).not.toHaveProperty(key)
})

test('can be imported in plain Node, and required in CommonJS', async () => {
  const use = `
    const client = new Querypost({ apiKey: 'key', fetch: async (url) => new Response(JSON.stringify({ url })) })
    client.me().then((me) => console.log(me.url, NotFoundError.name))`
  await writeFile(path.join(project, 'imports.mjs'), `import { NotFoundError, Querypost } from '@querypost/client'${use}`)
  await writeFile(path.join(project, 'requires.cjs'), `const { NotFoundError, Querypost } = require('@querypost/client')${use}`)
  const outputs = await Promise.all(
    ['imports.mjs', 'requires.cjs'].map((file) => run(process.execPath, [path.join(project, file)], { cwd: project })),
  )
  expect(outputs.map(({ stdout }) => stdout)).toEqual(Array(2).fill('http://localhost:3000/api/me NotFoundError\n'))
})

test('the TypeScript of the README compiles without Node types; wrong use does not', async () => {
  const readme = await readFile(path.join(installed, 'README.md'), 'utf8')
  const blocks = Array.from(readme.matchAll(/```ts\b[^\n]*\n(.*?)```/gs), ([, code]) => code!)
  expect(blocks.length).toBeGreaterThan(5)
  await Promise.all(blocks.map((code, index) => writeFile(path.join(project, `readme-${index}.ts`), `${code}\nexport {}\n`)))
  await writeFile(path.join(project, 'around.d.ts'), 'declare const process: { env: Record<string, string | undefined> }\n')
  await writeFile(
    path.join(project, 'wrong.ts'),
    `import { Querypost } from '@querypost/client'
     const client = new Querypost({ apiKey: 'key' })
     // @ts-expect-error: a query is named by its id
     await client.queries.get(7)
     // @ts-expect-error: the shortId cannot be changed
     await client.references.update('abc', { shortId: 'def' })
     // @ts-expect-error: with ifNoneMatch there may be no rows
     console.log((await client.queries.result('id', { ifNoneMatch: '"x"' })).rows)
     export {}`,
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
  await writeFile(config, JSON.stringify({ compilerOptions, include: ['readme-*.ts', 'wrong.ts', 'around.d.ts'] }))
  const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))
  const found = await run(process.execPath, [compiler, '-p', config]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(found).toBe('')
})

test('runs with a few globals of the web platform and no others', async () => {
  // vm modules need a flag, so this runs in its own process.
  const script = fileURLToPath(new URL('run-in-bare-context.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, ['--experimental-vm-modules', '--no-warnings', script])
  const ofTheWeb = ['AbortController', 'TextDecoder', 'URL', 'URLSearchParams', 'crypto', 'fetch', 'performance']
  const globals = [...ofTheWeb, 'clearTimeout', 'setTimeout'].sort()
  expect(JSON.parse(stdout)).toEqual({ globals, ids: ['a', 'b'] })
})
