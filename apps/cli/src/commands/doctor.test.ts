import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Check } from '../checks.ts'
import { tryCommand } from '../../testing/command-context.ts'

let folder: string
beforeAll(async () => (folder = await mkdtemp(path.join(tmpdir(), 'querypost-doctor-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Answer {
  isWell: boolean
  checks: Check[]
}

/** Answers like a running service. */
const service: typeof fetch = async (input) => {
  const { pathname } = new URL(input as string)
  const answers: Record<string, string> = {
    '/healthz': '{"status":"ok"}',
    '/readyz': '{"status":"ready"}',
    '/docs': '<html>',
  }
  return new Response(answers[pathname] ?? '', {
    status: pathname in answers ? 200 : 404,
    headers: { date: new Date().toUTCString() },
  })
}

test('checks everything and changes nothing', async () => {
  const DATA_DIR = path.join(folder, 'not/there')
  const environment = {
    DATA_DIR,
    BASE_URL: 'https://querypost.example',
    SMTP_URL: 'smtp://127.0.0.1:1',
    SMTP_FROM: 'q@example.com',
  }
  const { exitCode, stdout, stderr } = await tryCommand(['doctor', '--json'], { environment, fetch: service })
  const { isWell, checks } = JSON.parse(stdout) as Answer
  expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'configuration ok',
    'node ok',
    'memory ok',
    'data directory ok',
    'disk ok',
    'backups skipped',
    'service ok',
    'readiness ok',
    'service clock ok',
    'documentation ok',
    'BASE_URL ok',
    'store ok',
    'bucket skipped',
    'duckdb ok',
    'mail failed',
    'sign-in skipped',
  ])
  expect([exitCode, isWell, stderr]).toEqual([1, false, ''])
  expect(await readdir(folder)).toEqual([])
})

test('reports only the configuration when settings are invalid', async () => {
  const { exitCode, stdout } = await tryCommand(['doctor'], { environment: { PORT: 'many' } })
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/failed {3}configuration {2}PORT.*\n.*→ .*\n\n1 failed\.\n$/)
})

test.each([
  [['doctor', 'now'], 2],
  [['doctor', '--fix'], 2],
])('rejects %s', async (args, code) => {
  expect(await tryCommand(args)).toMatchObject({ exitCode: code, stdout: '' })
})
