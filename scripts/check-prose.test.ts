import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { compilePhrases, findPhrases, isProse } from './prose.mjs'

const { phrases, ignoredPaths } = JSON.parse(readFileSync(new URL('prose.json', import.meta.url), 'utf8')) as {
  phrases: { phrase: string; say: string; example: string }[]
  ignoredPaths: string[]
}
const compiled = compilePhrases(phrases)
const found = (text: string) => findPhrases(text, compiled).map(({ line, phrase }) => `${line} ${phrase}`)

describe('prose.json', () => {
  test.each(phrases)('finds "$example" by its own rule', ({ phrase, say, example }) => {
    expect(findPhrases(example, compilePhrases([{ phrase, say }]))).toHaveLength(1)
  })

  test.each(phrases)('suggests "$say", which passes the check', ({ say }) => {
    expect(found(say)).toEqual([])
  })
})

describe('findPhrases', () => {
  test('reports line, phrase and suggestion', () => {
    expect(findPhrases('First line.\nDone by hand, then read anew.\n', compiled)).toEqual([
      { line: 2, phrase: 'by hand', say: 'manually' },
      { line: 2, phrase: 'anew', say: 'again' },
    ])
  })

  test.each([
    ['/**\n * A bug of\n * ours.\n */', '2 of ours'],
    ['  // A bug of\n  // ours.', '1 of ours'],
    ['- A bug of\n  ours.', '1 of ours'],
    ['<p>\n  A bug of\n  ours.\n</p>', '2 of ours'],
    ['-- It must not be tried for\n-- ever.', '1 for ever'],
  ])('finds a phrase that continues on the next line: %j', (text, finding) => {
    expect(found(text)).toEqual([finding])
  })

  test.each(['Whoever asks', "log.warn('whoever asks')", '<p>Ask whoever operates it.</p>'])('finds a phrase in %j', (text) => {
    expect(found(text)).toEqual([expect.stringMatching(/^1 whoever$/i)])
  })

  test.each([
    'It takes a matter of hours.',
    'We run the loop ourselves.',
    'The name is well-formed.',
    'All is well.',
    'colors that can be told apart',
    'a test for good reasons',
    'It stands in for a server.',
    'const canew = 1',
    'The list is asked\n\nfor more.',
  ])('accepts %j', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('isProse', () => {
  test.each(['README.md', 'apps/web/src/app.tsx', 'scripts/check-prose.mjs', 'docs/navigation.json'])('includes %s', (file) => {
    expect(isProse(file, ignoredPaths)).toBe(true)
  })

  test.each(['package-lock.json', 'scripts/prose.json', 'docs/images/chat.png', 'LICENSE'])('excludes %s', (file) => {
    expect(isProse(file, ignoredPaths)).toBe(false)
  })
})

test.each([
  ['fails and says where', 'Good.\n\nRun it by hand.\n', 1, '/text.md:3  "by hand"  say: manually\n'],
  ['passes without output', 'Run it manually.\n', 0, ''],
])('the command %s', (_, text, status, output) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'querypost-prose-'))
  const file = path.join(folder, 'text.md')
  writeFileSync(file, text)
  const script = fileURLToPath(new URL('check-prose.mjs', import.meta.url))
  const run = spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect(run.status, run.stderr).toBe(status)
  expect(run.stdout).toContain(output)
  expect(run.stdout === '').toBe(output === '')
})
