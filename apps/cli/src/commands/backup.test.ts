import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tryCommand } from '../../testing/command-context.ts'

/** Backs up the files of a service that uses PostgreSQL. test/processes/backup.test.ts covers the embedded store. */
let home: string
let environment: Record<string, string>
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'querypost-command-'))
  environment = { DATA_DIR: path.join(home, 'data'), DATABASE_URL: 'postgres://nobody@localhost/none' }
  await mkdir(path.join(home, 'data/databases'), { recursive: true })
  await writeFile(path.join(home, 'data/databases/shop.duckdb'), 'a database')
})
afterEach(() => rm(home, { recursive: true }))

const at = (name: string) => path.join(home, name)

test('only the owner can read a backup; backup and restore report what it contains', async () => {
  const secretKey = { ...environment, SECRET_KEY: 'a secret of at least thirty-two characters' }
  const made = await tryCommand(['backup', '--output', at('b.tar.gz')], { environment: secretKey })
  expect([made.exitCode, made.stdout]).toEqual([0, `${at('b.tar.gz')}\n`])
  expect(made.stderr).toMatch(/contains secrets.*\n.*Back up PostgreSQL with its own tools.*\nIt does not contain SECRET_KEY/)
  expect((await stat(at('b.tar.gz'))).mode & 0o777).toBe(0o600)
  const restored = await tryCommand(['restore', at('b.tar.gz'), '--data-dir', at('other')], { environment })
  expect([restored.exitCode, restored.stdout]).toEqual([0, `${at('other')}\n`])
  expect(restored.stderr).toMatch(/Restored 1 kB in 1 files.*\n.*does not contain SECRET_KEY/)
  const answer = await tryCommand(['restore', at('b.tar.gz'), '--replace', '--json'], { environment })
  expect(JSON.parse(answer.stdout)).toMatchObject({ kind: 'files', fileCount: 1, replaced: expect.stringContaining('replaced-') as string })
})

test('rejects a terminal as output, and a file that exists', async () => {
  const onTerminal = await tryCommand(['backup', '--output', '-'], { environment, isTerminal: true })
  expect([onTerminal.exitCode, onTerminal.stdout]).toEqual([2, ''])
  expect(await tryCommand(['backup', '-o', '-', '--json'], { environment })).toMatchObject({ exitCode: 2, stdout: '' })
  await writeFile(at('b.tar.gz'), 'precious')
  expect((await tryCommand(['backup', '-o', at('b.tar.gz')], { environment })).stderr).toContain('already exists')
  await writeFile(at('c.tar.gz.part'), 'another’s')
  const busy = await tryCommand(['backup', '-o', at('c.tar.gz')], { environment })
  expect([busy.exitCode, busy.stderr]).toEqual([1, expect.stringContaining('another backup is running')])
  expect((await readdir(home)).sort()).toEqual(['b.tar.gz', 'c.tar.gz.part', 'data'])
})

test.each([
  [['backup', 'file.tar.gz'], 2, 'use --output file.tar.gz'],
  [['restore'], 2, 'Name the backup'],
  [['backup', 'verify'], 2, 'Name the backup'],
  [['backup', 'verify', '/nowhere/b.tar.gz'], 2, 'Can’t read /nowhere/b.tar.gz'],
  [['backup', 'verify', 'b.tar.gz', '--into', 'mysql://x'], 2, '--into must be the URL of a PostgreSQL database'],
  [['backup', 'verify', 'b.tar.gz', '--into', 'postgres://nobody@127.0.0.1:1/none'], 1, 'Can’t connect to PostgreSQL at 127.0.0.1:1/none'],
  [['backup', 'verify', 'b.tar.gz', '--clean-up'], 2, '--clean-up needs --into'],
  [['restore', '/nowhere/b.tar.gz'], 2, 'Can’t read /nowhere/b.tar.gz'],
  [['backup', '--output', '/nowhere/b.tar.gz'], 1, 'No backup was made.'],
])('rejects %s with a message', async (args, exitCode, words) => {
  expect(await tryCommand(args, { environment })).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(words) as string })
})

test('rejects invalid settings with the message of the start', async () => {
  const wrong = await tryCommand(['backup'], { environment: { DATABASE_URL: 'mysql://x' } })
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('DATABASE_URL: the value is not a URL')])
  const nothing = await tryCommand(['backup'], { environment: { DATA_DIR: at('nowhere') } })
  expect([nothing.exitCode, nothing.stderr]).toEqual([1, expect.stringContaining('There is nothing to back up')])
  expect(await readdir(home)).toEqual(['data'])
})

test('an interrupted backup leaves no files behind', async () => {
  const signal = AbortSignal.abort()
  const stopped = await tryCommand(['backup', '-o', at('b.tar.gz')], { environment, signal })
  expect([stopped.exitCode, stopped.stderr]).toEqual([1, expect.stringContaining('Interrupted. No backup was made.')])
  expect([await readdir(home), await readdir(at('data/temporary'))]).toEqual([['data'], []])
})

test('verifies the files of a service that uses PostgreSQL, and says what it can’t verify', async () => {
  await tryCommand(['backup', '-o', at('b.tar.gz')], { environment })
  const verified = await tryCommand(['backup', 'verify', at('b.tar.gz'), '--folder', home], { environment })
  expect([verified.exitCode, verified.stderr]).toEqual([0, ''])
  expect(verified.stdout).toMatch(/^The backup is good\.\n\n {2}1 files with 1 kB.*all checksums match\.\n {2}The store is in PostgreSQL/)
  expect((await readdir(home)).sort()).toEqual(['b.tar.gz', 'data'])
})
