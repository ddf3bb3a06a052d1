import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '@querypost/server/testing'
import { tryCommand } from '../../testing/command-context.ts'
import { capture, event, secretA, secretB, sentAt, sentBody } from '../../testing/captured-requests.ts'

let folder: string
let raw: string
const environment = { QUERYPOST_WEBHOOK_SECRET: secretA }
const clock = manualClock(sentAt.toISOString())

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-verify-'))
  const { headers } = await capture()
  raw = `POST /hook HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${sentBody}`
  await writeFile(path.join(folder, 'request'), raw)
  await writeFile(path.join(folder, 'body'), sentBody)
  await writeFile(path.join(folder, 'secrets'), `${secretB}\n${secretA}\n`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const verify = (args: string[], world: Parameters<typeof tryCommand>[1] = {}) =>
  tryCommand(['verify', ...args], { environment, clock, ...world })

test('accepts a genuine request from standard input or a file', async () => {
  const { exitCode, stdout, stderr } = await verify([], { stdin: raw })
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Genuine\.\n\n {2}ok {7}headers {4}Both header families/)
  expect(await verify(['--request', path.join(folder, 'request')])).toEqual({ exitCode, stdout, stderr })
})

test('--json prints one document and nothing else', async () => {
  const { exitCode, stdout } = await verify(['--json', '--tolerance', '10', '--at', '2026-03-01T12:01:00Z'], {
    stdin: raw,
  })
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    isGenuine: false,
    code: 'timestamp_too_old',
    event: null,
    checks: [{ name: 'headers', state: 'ok' }, {}, {}, {}, { name: 'clock', state: 'failed' }, {}],
  })
})

test('takes a body with headers, and secrets from a file', async () => {
  const { headers } = await capture()
  const given = headers.flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const secrets = ['--secret-file', path.join(folder, 'secrets'), '--json']
  const { exitCode, stdout } = await verify(['--body', path.join(folder, 'body'), ...given, ...secrets], {
    environment: {},
  })
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ isGenuine: true, event })
})

test('verifies a HAR file as of its capture time', async () => {
  const { headers } = await capture()
  const request = { headers: headers.map(([name, value]) => ({ name, value })), postData: { text: sentBody } }
  const archive = { log: { entries: [{ startedDateTime: sentAt.toISOString(), request }] } }
  const later = manualClock(new Date(sentAt.getTime() + 86_400_000).toISOString())
  expect(await verify([], { stdin: JSON.stringify(archive), clock: later })).toMatchObject({ exitCode: 0 })
  expect(await verify(['--at', '1772366400'], { stdin: raw, clock: later })).toMatchObject({ exitCode: 0 })
  expect(await verify([], { stdin: raw, clock: later })).toMatchObject({ exitCode: 1 })
})

test('explains what is wrong without showing the secret', async () => {
  const { exitCode, stdout } = await verify([], {
    stdin: raw,
    environment: { QUERYPOST_WEBHOOK_SECRET: `'${secretA}'` },
  })
  expect(exitCode).toBe(1)
  expect(stdout).toContain('Not genuine: bad_secret')
  expect(stdout).toContain('The secret has quotes around it. Without that, it matches.')
  expect(stdout).not.toContain(secretA.slice(6, 30))
})

test.each([
  [[], {}, 'Set QUERYPOST_WEBHOOK_SECRET'],
  [['captured.txt'], environment, '--request captured.txt'],
  [['--request', 'a', '--body', 'b'], environment, 'either --request, or --body'],
  [['--header', 'a: b'], environment, '--header needs --body'],
  [['--body', '-', '--header', 'a'], environment, "not of the form 'name: value'"],
  [['--request', '/nowhere/at/all'], environment, 'Can’t read'],
  [['--at', 'soon'], environment, '--at soon is not a time'],
  [['--tolerance', 'x'], environment, '--tolerance x is not a number'],
  [[], environment, 'The input contains no request'],
])('rejects %s', async (args, given, words) => {
  const { exitCode, stdout, stderr } = await verify(args, { environment: given })
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(words)
})
