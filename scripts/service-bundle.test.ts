import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleFolder, findBundle } from './service-bundle.mjs'

let root: string
const write = async (name: string, text: string) => {
  await mkdir(path.join(root, path.dirname(name)), { recursive: true })
  await writeFile(path.join(root, name), text)
}

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'querypost-bundle-'))
  for (const folder of ['cli/src', 'server/entry', 'server/src']) await write(`apps/${folder}/some.ts`, 'export {}')
  for (const name of ['client', 'visualization', 'webhooks']) await write(`packages/${name}/src/index.ts`, 'export {}')
  for (const name of ['bundled-licenses', 'service-bundle', 'service.vite.config']) await write(`scripts/${name}.mjs`, '')
  await write('package-lock.json', '{}')
})

afterEach(() => rm(root, { recursive: true }))

async function buildBundle(): Promise<string> {
  const main = path.join(bundleFolder(root), 'main.js')
  await write(path.relative(root, main), '')
  return main
}

test('finds the bundle of the current sources', async () => {
  expect(findBundle(root)).toBeUndefined()
  const main = await buildBundle()
  expect(findBundle(root)).toBe(main)
})

test.each([
  ['a changed module', 'apps/server/src/some.ts', 'export { }'],
  ['a new module', 'packages/client/src/retries.ts', 'export {}'],
  ['a changed dependency', 'package-lock.json', '{ }'],
  ['a changed build', 'scripts/service.vite.config.mjs', '// minify'],
])('ignores a bundle built before %s', async (_what, name, text) => {
  await buildBundle()
  await write(name, text)
  expect(findBundle(root)).toBeUndefined()
})

test('ignores a bundle built before a module was removed', async () => {
  await write('apps/cli/src/other.ts', 'export {}')
  await buildBundle()
  await rm(path.join(root, 'apps/cli/src/other.ts'))
  expect(findBundle(root)).toBeUndefined()
})

test('keeps the bundle when only a test changes', async () => {
  const main = await buildBundle()
  await write('apps/server/src/some.test.ts', 'test')
  expect(findBundle(root)).toBe(main)
})
