import fs from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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

const changeTime = (name: string) => fs.statSync(path.join(root, name), { throwIfNoEntry: false })?.ctimeMs

/** Finds the bundle long after its sources were written, so that their states are kept. */
const findLater = () => findBundle(root, Date.now() + 60_000)

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

test('finds it again without reading the sources', async () => {
  const main = await buildBundle()
  findLater()
  const read = vi.spyOn(fs, 'readFileSync')
  syncBuiltinESMExports()
  try {
    expect(findBundle(root)).toBe(main)
    expect(read.mock.calls.map(([file]) => path.relative(root, String(file)))).toEqual(['node_modules/.cache/service-sources.json'])
  } finally {
    read.mockRestore()
    syncBuiltinESMExports()
  }
})

test.each(['', 'null', '{}', '{"main":"main.js","paths":7}', '{"main":"main.js","paths":[7]}'])('reads the sources if what it has kept is %j', async (kept) => {
  const main = await buildBundle()
  await write('node_modules/.cache/service-sources.json', kept)
  expect(findBundle(root)).toBe(main)
})

test('finds none when the bundle that was found last is gone', async () => {
  const main = await buildBundle()
  findLater()
  await rm(path.dirname(main), { recursive: true })
  expect(findBundle(root)).toBeUndefined()
})

test.each([
  ['a changed module', 'apps/server/src/some.ts', 'export { }'],
  ['a module changed to one as long', 'apps/server/src/some.ts', 'import {}'],
  ['a new module', 'packages/client/src/retries.ts', 'export {}'],
  ['a new module in a new folder', 'apps/server/src/new/deep/module.ts', 'export {}'],
  ['a new package', 'packages/more/src/index.ts', 'export {}'],
  ['a changed dependency', 'package-lock.json', '{ }'],
  ['a changed build', 'scripts/service.vite.config.mjs', '// minify'],
])('ignores a bundle built before %s', async (_what, name, text) => {
  await buildBundle()
  expect(findLater()).toBeDefined()
  const before = changeTime(name)
  // Two changes within a few milliseconds may have the same time.
  do await write(name, text)
  while (changeTime(name) === before)
  expect(findBundle(root)).toBeUndefined()
})

test('reads the sources again if they have just changed', async () => {
  const main = await buildBundle()
  findBundle(root)
  expect(fs.existsSync(path.join(root, 'node_modules/.cache/service-sources.json'))).toBe(false)
  expect(findBundle(root)).toBe(main)
})

test('ignores a bundle built before a module was removed', async () => {
  await write('apps/cli/src/other.ts', 'export {}')
  await buildBundle()
  expect(findLater()).toBeDefined()
  await rm(path.join(root, 'apps/cli/src/other.ts'))
  expect(findBundle(root)).toBeUndefined()
})

test('keeps the bundle when only a test changes', async () => {
  const main = await buildBundle()
  await write('apps/server/src/some.test.ts', 'test')
  expect(findBundle(root)).toBe(main)
})
