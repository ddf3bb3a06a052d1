import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installLibrary, type InstalledLibrary } from '../../../test/installed-library.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const run = promisify(execFile)
let library: InstalledLibrary
let project: string
let installed: string

beforeAll(async () => {
  library = await installLibrary({ name: '@querypost/embed', folder })
  ;({ project, installed } = library)
})
afterAll(() => library.remove())

async function runFile(name: string, code: string): Promise<string> {
  await writeFile(path.join(project, name), code)
  return (await run(process.execPath, [path.join(project, name)], { cwd: project })).stdout.trim()
}

test('contains JavaScript, declarations, README and license; no tests, no dependencies', async () => {
  const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)))
  expect(files.filter((file) => !/^([\w-]+\/)?[\w-]+\.(js|d\.ts)$/.test(file)).sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
  expect(files.filter((file) => file.includes('test'))).toEqual([])
  const description = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as Record<string, unknown>
  for (const key of ['dependencies', 'private', 'scripts']) expect(description).not.toHaveProperty(key)
  expect(Object.keys(description['exports'] as object)).toEqual(['.', './react', './server'])
  expect(description['peerDependenciesMeta']).toEqual({ react: { optional: true } })
})

test('signs on a server without React, and can be required', async () => {
  const sign = `signEmbedToken({ keyId: 'embed_key', secret: 'secret', resource: 'board', shortId: 'b', parameters: {} }).split('.').length`
  expect(await runFile('imports.mjs', `import { signEmbedToken } from '@querypost/embed/server'\nconsole.log(${sign})`)).toBe('3')
  expect(await runFile('requires.cjs', `const { signEmbedToken } = require('@querypost/embed/server')\nconsole.log(${sign})`)).toBe('3')
})

test('can be imported on a server, where the React component renders the element', async () => {
  for (const name of ['react', 'react-dom', 'scheduler']) await symlink(path.join(modules, name), path.join(project, 'node_modules', name))
  const html = await runFile(
    'render.mjs',
    `import '@querypost/embed'
     import { QuerypostEmbed } from '@querypost/embed/react'
     import { createElement } from 'react'
     import { renderToStaticMarkup } from 'react-dom/server'
     const props = { src: 'https://querypost.example.com/embed/b', getToken: async () => '', theme: { accent: '#112233' }, className: 'wide' }
     console.log(renderToStaticMarkup(createElement(QuerypostEmbed, props)))`,
  )
  expect(html).toBe('<querypost-embed src="https://querypost.example.com/embed/b" class="wide"></querypost-embed>')
})

test('the TypeScript of the README compiles against its declarations', async () => {
  const readme = await readFile(path.join(installed, 'README.md'), 'utf8')
  await mkdir(path.join(project, 'node_modules/@types'))
  await symlink(path.join(modules, '@types/react'), path.join(project, 'node_modules/@types/react'))
  const blocks = Array.from(readme.matchAll(/```(ts|jsx)\n(.*?)```/gs), ([, language, code]) => ({ extension: language === 'jsx' ? 'tsx' : 'ts', code: code! }))
  expect(blocks.length).toBeGreaterThan(2)
  await Promise.all(blocks.map(({ extension, code }, index) => writeFile(path.join(project, `readme-${index}.${extension}`), code)))
  await writeFile(path.join(project, 'around.d.ts'), 'declare const process: { env: Record<string, string | undefined> }')
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    jsx: 'react-jsx',
    types: [],
    noEmit: true,
  }
  const config = path.join(project, 'tsconfig.json')
  await writeFile(config, JSON.stringify({ compilerOptions, include: ['readme-*.ts', 'readme-*.tsx', 'around.d.ts'] }))
  const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))
  const check = () =>
    run(process.execPath, [compiler, '-p', config]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
  expect(await check()).toBe('')
  const first = blocks.findIndex(({ code }) => code.includes('signEmbedToken'))
  await writeFile(path.join(project, `readme-${first}.ts`), blocks[first]!.code.replace("resource: 'board'", "resource: 'query'"))
  expect(await check()).toContain('"query"')
})
