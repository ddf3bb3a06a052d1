import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tarOf } from '../../../testing/tar.ts'
import { ArchiveError, readGitArchive } from './read-git-archive.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'querypost-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))

const all = () => true

test('reads what git archive writes, also long names and other alphabets', async () => {
  const long = `${'finance/'.repeat(20)}größe-${'x'.repeat(120)}.sql`
  const files: Record<string, string> = { 'a.sql': 'select 1\n', 'empty.sql': '', [long]: 'select 2' }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=CI', '-c', 'user.email=ci@shop.test', ...args], { cwd: folder })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Files')
  expect(Object.fromEntries(await readGitArchive(git('archive', '--format=tar', 'HEAD'), all))).toEqual(files)
})

test('reads only wanted files', async () => {
  const archive = await tarOf({ 'a.sql': 'select 1', 'image.png': Buffer.from([0xff]) })
  expect([...(await readGitArchive(archive, (name) => name.endsWith('.sql'))).keys()]).toEqual(['a.sql'])
})

test.each([
  ['another format', Buffer.from('{"files": []}'.padEnd(600))],
  ['a part of an archive', (await tarOf({ 'a.sql': 'x'.repeat(2000) })).subarray(0, 1024)],
  ['a file that is not UTF-8', await tarOf({ 'a.sql': Buffer.from([0xff]) })],
])('rejects %s', async (_, archive) => {
  await expect(readGitArchive(archive, all)).rejects.toThrow(ArchiveError)
})

test('an empty body has no files', async () => {
  expect((await readGitArchive(Buffer.alloc(0), all)).size).toBe(0)
})
