import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findOwner, lockDataDirectory, readSecretKey, removeTemporaryFiles } from './data-directory.ts'
import { seededRandom } from '../../testing/seeded-random.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-folder-'))
})
afterEach(() => rm(folder, { recursive: true }))

const record = () => path.join(folder, 'lock')

test('unlocking frees the folder', async () => {
  const unlock = await lockDataDirectory(folder, 4242)
  expect(await findOwner(folder)).toBe(4242)
  await expect(lockDataDirectory(folder, 4343)).rejects.toThrow('process 4242')
  expect(await findOwner(folder)).toBe(4242)
  await unlock()
  expect(await findOwner(folder)).toBeUndefined()
  await expect(stat(record())).rejects.toThrow('ENOENT')
  await (await lockDataDirectory(folder, 4343))()
})

test('looking up the owner of an unused folder changes nothing', async () => {
  expect(await findOwner(folder)).toBeUndefined()
  expect(await readdir(folder)).toEqual([])
})

test('the lock files are readable only by this user', async () => {
  const unlock = await lockDataDirectory(folder, 4242)
  const modes = await Promise.all(['lock', 'lock.sqlite'].map(async (name) => (await stat(path.join(folder, name))).mode & 0o777))
  expect([modes, (await readdir(folder)).toSorted()]).toEqual([[0o600, 0o600], ['lock', 'lock.sqlite']])
  await unlock()
})

describe('with another process', () => {
  const others: ChildProcess[] = []
  afterEach(async () => {
    await Promise.all(others.splice(0).map(kill))
  })

  async function kill(child: ChildProcess) {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await exited
  }

  function startOther(processId: number) {
    const script = fileURLToPath(new URL('../../testing/servers/data-directory-owner.ts', import.meta.url))
    const child = spawn(process.execPath, [script, folder, String(processId)], { stdio: ['pipe', 'pipe', 'inherit'] })
    others.push(child)
    const output = once(child.stdout, 'data').then(([chunk]) => String(chunk).trim())
    return { output, kill: () => kill(child) }
  }

  test('a second owner is rejected until the first has ended, even one with the same process id', async () => {
    // As with two containers on one volume, in which both are process 1.
    const owner = startOther(process.pid)
    expect(await owner.output).toBe('owner')
    expect(await findOwner(folder)).toBe(process.pid)
    await expect(lockDataDirectory(folder, process.pid)).rejects.toThrow(
      `process ${process.pid} (in another container or on another machine) is using this folder`,
    )
    await owner.kill()
    expect(await findOwner(folder)).toBeUndefined()
    const unlock = await lockDataDirectory(folder, process.pid)
    expect(await findOwner(folder)).toBe(process.pid)
    await unlock()
  })

  test('exactly one of several simultaneous starts gets the folder', async () => {
    const output = await Promise.all([1, 1, 1, 1].map((processId) => startOther(processId).output))
    expect(output.toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^DATA_DIR=.* is using this folder/) as string),
      'owner',
    ])
  })
})

describe('the lock of an older version, which is only a process id', () => {
  test.each([
    ['a process that has ended', '999999999'],
    ['an interrupted write that left it empty', ''],
    ['a process id that now belongs to another program', '1'],
  ])('is taken over from %s', async (_, owner) => {
    await writeFile(record(), owner)
    expect(await findOwner(folder)).toBeUndefined()
    const unlock = await lockDataDirectory(folder, 4242)
    expect(await readFile(record(), 'utf8')).toBe('4242\n')
    await unlock()
  })

  test('is respected while its process runs', async () => {
    const service = spawn(process.execPath, ['-e', 'process.stdin.resume()', 'querypost'], { stdio: ['pipe', 'ignore', 'inherit'] })
    await once(service, 'spawn')
    await writeFile(record(), String(service.pid))
    await expect(lockDataDirectory(folder, 4242)).rejects.toThrow(`process ${service.pid} is using this folder`)
    expect(await findOwner(folder)).toBe(service.pid)
    expect(await readFile(record(), 'utf8')).toBe(String(service.pid))
    service.kill('SIGKILL')
    await once(service, 'exit')
    await (await lockDataDirectory(folder, 4242))()
  })
})

test('generates the secret once, readable only by its owner', async () => {
  const first = await readSecretKey({ folder, given: null, random: seededRandom('first') })
  const second = await readSecretKey({ folder, given: null, random: seededRandom('second') })
  expect(first).toHaveLength(32)
  expect(second).toEqual(first)
  expect((await stat(path.join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
})

test('uses a configured secret unchanged', async () => {
  const given = 'a secret of at least thirty-two characters'
  expect(await readSecretKey({ folder, given, random: seededRandom('x') })).toEqual(Buffer.from(given))
  await expect(stat(path.join(folder, 'secret.key'))).rejects.toThrow('ENOENT')
})

test('removes only unfinished files of a dead process', async () => {
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
