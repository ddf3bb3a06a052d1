import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findOwner, lockDataDirectory, readSecretKey, removeTemporaryFiles } from './data-directory.ts'
import { seededRandom } from './testing/seeded-random.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-folder-'))
})
afterEach(() => rm(folder, { recursive: true }))

const lockFile = () => path.join(folder, 'lock')

test('the folder is given back', async () => {
  const unlock = await lockDataDirectory(folder, 4242)
  expect(await readFile(lockFile(), 'utf8')).toBe('4242')
  await unlock()
  await expect(stat(lockFile())).rejects.toThrow('ENOENT')
})

test.each([
  ['a process that is gone', '999999999'],
  ['nobody: it was cut short while it was written', ''],
  ['a process whose number another program has now', '1'],
])('the lock of %s is taken over', async (_, owner) => {
  await writeFile(lockFile(), owner)
  expect(await findOwner(folder)).toBeUndefined()
  await lockDataDirectory(folder, 4242)
  expect(await readFile(lockFile(), 'utf8')).toBe('4242')
})

test('the secret is made once, and readable by its owner only', async () => {
  const first = await readSecretKey({ folder, given: null, random: seededRandom('first') })
  const second = await readSecretKey({ folder, given: null, random: seededRandom('second') })
  expect(first).toHaveLength(32)
  expect(second).toEqual(first)
  expect((await stat(path.join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
})

test('a given secret is used as it is', async () => {
  const given = 'a secret of at least thirty-two characters'
  expect(await readSecretKey({ folder, given, random: seededRandom('x') })).toEqual(Buffer.from(given))
  await expect(stat(path.join(folder, 'secret.key'))).rejects.toThrow('ENOENT')
})

test('what a process left unfinished is removed, and nothing else', async () => {
  await removeTemporaryFiles(folder)
  const databases = path.join(folder, 'databases', 'org_1')
  await mkdir(databases, { recursive: true })
  await mkdir(path.join(folder, 'temporary'))
  const files = ['a.duckdb', 'a.duckdb.wal', 'a.duckdb.db_1.part', 'a.duckdb.db_1.part.wal', 'part.duckdb']
  for (const file of files) await writeFile(path.join(databases, file), '')
  await removeTemporaryFiles(folder)
  expect(await readdir(folder)).toEqual(['databases'])
  expect((await readdir(databases)).toSorted()).toEqual(['a.duckdb', 'a.duckdb.wal', 'part.duckdb'])
})
