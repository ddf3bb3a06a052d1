import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { languages } from './languages.ts'

/** The programs of docs/embed.md, exactly as shown: each prints a token that the service would accept. */
const page = readFileSync(new URL('../../docs/embed.md', import.meta.url), 'utf8')
const folder = mkdtempSync(path.join(tmpdir(), 'querypost-embed-'))
afterAll(() => rmSync(folder, { recursive: true }))

const commands: Record<string, { fence: string; file: string; run: [command: string, ...args: string[]] }> = {
  node: { fence: 'js', file: 'sign.mjs', run: [process.execPath] },
  python: { fence: 'python', file: 'sign.py', run: ['python3'] },
  go: { fence: 'go', file: 'sign.go', run: ['go', 'run'] },
  ruby: { fence: 'ruby', file: 'sign.rb', run: ['ruby'] },
  php: { fence: 'php', file: 'sign.php', run: ['php'] },
  java: { fence: 'java', file: 'SignEmbedToken.java', run: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] },
}
const installed = languages.filter(({ isInstalled }) => isInstalled).map(({ name }) => name)

test('the page has a program for every language', () => {
  expect(Object.keys(commands).toSorted()).toEqual(languages.map(({ name }) => name).toSorted())
  for (const { fence } of Object.values(commands)) expect(programIn(fence)).toContain('QUERYPOST_EMBED_SECRET')
  const missing = languages.filter(({ isInstalled }) => !isInstalled).map(({ name }) => name)
  // Print which ones run, so that a language that is not installed is not taken for a success.
  // eslint-disable-next-line no-console
  console.info(`Tokens signed in: ${installed.join(', ')}; not installed: ${missing.join(', ') || 'none'}`)
})

/** The first block of the language; later ones are for the browser. */
const programIn = (fence: string) => page.split(`\`\`\`${fence}\n`)[1]?.split('```')[0] ?? ''

test.each(installed)('a token signed in %s', async (name) => {
  const { fence, file, run } = commands[name]!
  writeFileSync(path.join(folder, file), programIn(fence))
  const [command, ...args] = run
  const secret = 'aB3'.repeat(16)
  const env = { ...process.env, QUERYPOST_EMBED_KEY_ID: 'embed_key', QUERYPOST_EMBED_SECRET: secret }
  const before = Math.floor(Date.now() / 1000)
  const { stdout } = await promisify(execFile)(command, [...args, file], { cwd: folder, env })
  const [header, claims, signature] = stdout.trim().split('.') as [string, string, string]
  const decoded = [header, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, number>)
  expect(decoded).toEqual([
    { alg: 'HS256', kid: 'embed_key' },
    {
      aud: 'querypost-embed',
      resource: 'board',
      shortId: 'b7m2p9qxwd',
      parameters: { customer_id: 42 },
      iat: expect.any(Number),
      exp: decoded[1]!['iat']! + 600,
    },
  ])
  expect(decoded[1]!['iat']).toBeGreaterThanOrEqual(before)
  expect(signature).toBe(createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url'))
})
