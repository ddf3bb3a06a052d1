import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tryCommand } from '../../testing/command-context.ts'

/** The files beside a PostgreSQL; with the embedded store, test/processes/backup.test.ts. */
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

test('a backup is the owner’s only, and says what is not in it; a restore says what is', async () => {
  const secretKey = { ...environment, SECRET_KEY: 'a secret of at least thirty-two characters' }
  const made = await tryCommand(['backup', '--output', at('b.tar.gz')], { environment: secretKey })
  expect([made.exitCode, made.stdout]).toEqual([0, `${at('b.tar.gz')}\n`])
  expect(made.stderr).toMatch(/holds secrets.*\n.*what is in PostgreSQL is backed up by its own means.*\nSECRET_KEY .* is not in it/)
  expect((await stat(at('b.tar.gz'))).mode & 0o777).toBe(0o600)
  const restored = await tryCommand(['restore', at('b.tar.gz'), '--data-dir', at('other')], { environment })
  expect([restored.exitCode, restored.stdout]).toEqual([0, `${at('other')}\n`])
  expect(restored.stderr).toMatch(/Restored 1 kB in 1 files.*\n.*start the service with the SECRET_KEY of that time/)
  const answer = await tryCommand(['restore', at('b.tar.gz'), '--replace', '--json'], { environment })
  expect(JSON.parse(answer.stdout)).toMatchObject({ kind: 'files', fileCount: 1, replaced: expect.stringContaining('replaced-') as string })
})

test('a backup for a terminal, or that is there already, is refused', async () => {
  const onTerminal = await tryCommand(['backup', '--output', '-'], { environment, isTerminal: true })
  expect([onTerminal.exitCode, onTerminal.stdout]).toEqual([2, ''])
  expect(await tryCommand(['backup', '-o', '-', '--json'], { environment })).toMatchObject({ exitCode: 2, stdout: '' })
  await writeFile(at('b.tar.gz'), 'precious')
  expect((await tryCommand(['backup', '-o', at('b.tar.gz')], { environment })).stderr).toContain('is there already')
  await writeFile(at('c.tar.gz.part'), 'another’s')
  const busy = await tryCommand(['backup', '-o', at('c.tar.gz')], { environment })
  expect([busy.exitCode, busy.stderr]).toEqual([1, expect.stringContaining('another backup is being written')])
  expect((await readdir(home)).sort()).toEqual(['b.tar.gz', 'c.tar.gz.part', 'data'])
})

test.each([
  [['backup', 'file.tar.gz'], 2, 'Say where to write it with --output file.tar.gz'],
  [['restore'], 2, 'Say which backup'],
  [['restore', '/nowhere/b.tar.gz'], 2, '/nowhere/b.tar.gz cannot be read'],
  [['backup', '--output', '/nowhere/b.tar.gz'], 1, 'No backup was made.'],
])('%s is refused with words', async (args, exitCode, words) => {
  expect(await tryCommand(args, { environment })).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(words) as string })
})

test('settings that cannot be used are told as at the start', async () => {
  const wrong = await tryCommand(['backup'], { environment: { DATABASE_URL: 'mysql://x' } })
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('DATABASE_URL: the value is not a URL')])
  const nothing = await tryCommand(['backup'], { environment: { DATA_DIR: at('nowhere') } })
  expect([nothing.exitCode, nothing.stderr]).toEqual([1, expect.stringContaining('There is nothing to back up')])
  expect(await readdir(home)).toEqual(['data'])
})

test('one that is interrupted leaves nothing behind', async () => {
  const signal = AbortSignal.abort()
  const stopped = await tryCommand(['backup', '-o', at('b.tar.gz')], { environment, signal })
  expect([stopped.exitCode, stopped.stderr]).toEqual([1, expect.stringContaining('Interrupted. No backup was made.')])
  expect([await readdir(home), await readdir(at('data/temporary'))]).toEqual([['data'], []])
})
