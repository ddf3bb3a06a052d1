import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hideFile } from './hidden-file.ts'

let root: string
let places: { folder: string; stage: string }
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'querypost-'))
  places = { folder: join(root, 'folder'), stage: join(root, 'stage') }
  for (const each of Object.values(places)) await mkdir(each)
  await writeFile(join(root, 'shop.duckdb'), 'bytes')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const isLinux = process.platform === 'linux'

test.runIf(isLinux)('a hidden file keeps its name, can be read, and reveals no path', async () => {
  const hidden = hideFile(join(root, 'shop.duckdb'), places)
  expect(hidden.path).toBe(join(places.stage, 'shop.duckdb'))
  expect(await readFile(hidden.path, 'utf8')).toBe('bytes')
  await expect(realpath(hidden.path)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await readdir(places.folder)).toEqual([])
  hidden.release()
  expect(await readdir(places.stage)).toEqual([])
  expect(await readFile(join(root, 'shop.duckdb'), 'utf8')).toBe('bytes')
})

test.runIf(isLinux)('a hidden file stays the opened file when another replaces it', async () => {
  const hidden = hideFile(join(root, 'shop.duckdb'), places)
  await rm(join(root, 'shop.duckdb'))
  await writeFile(join(root, 'shop.duckdb'), 'others')
  expect(await readFile(hidden.path, 'utf8')).toBe('bytes')
  hidden.release()
})

test.runIf(isLinux)('a hidden file has its write-ahead log beside it, if there is one', async () => {
  await writeFile(join(root, 'shop.duckdb.wal'), 'log')
  const hidden = hideFile(join(root, 'shop.duckdb'), places)
  expect(await readFile(`${hidden.path}.wal`, 'utf8')).toBe('log')
  hidden.release()
  expect(await readdir(places.stage)).toEqual([])
})

test('a file that cannot be hidden is opened at its own path', () => {
  const file = join(root, 'shop.duckdb')
  const hidden = hideFile(file, { ...places, folder: join(root, 'missing') })
  expect(hidden.path).toBe(file)
  hidden.release()
  expect(existsSync(file)).toBe(true)
})
