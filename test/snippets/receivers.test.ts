import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { signatureHeaders } from '@querypost/webhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAtLeast, type Language, languages, receiversFolder } from './languages.ts'
import { type RunningReceiver, startReceiver } from './running-receiver.ts'
import { expectedVerdicts, requests, strayNames } from './vectors.ts'

/**
 * The receivers of the documentation, exactly as shown: each verifies all published vectors and then receives requests over HTTP.
 * A language that is not installed is left out, and so is a slow one without `RECEIVERS=all`; the last test prints which ones ran.
 */
const [secret, nextSecret, foreignSecret] = ['q', 'n', 'x'].map((letter) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`)
const secrets = [secret!, nextSecret!]

const typescript: Language = {
  name: 'typescript',
  file: 'typescript/receiver.ts',
  isInstalled: true,
  prepare: async () => [{ command: process.execPath, args: [path.join(receiversFolder, 'typescript/receiver.ts')] }],
}
const isWanted = ({ isSlow = false }: Language) => !isSlow || process.env['RECEIVERS'] === 'all'
const tested = [typescript, ...languages].filter((language) => language.isInstalled && isWanted(language))

function eventBody(id: string): string {
  const data = { automationId: 'a', automationName: 'Umsatz „schön“ 🎉', runId: 'r', chatUrl: 'https://q.test/c', reason: 'Stopped.' }
  return JSON.stringify({ id, type: 'automation.run.failed', createdAt: '2026-01-05T09:00:00.000Z', data })
}

describe.each(tested)('$name', (language) => {
  let folder: string
  let receiver: RunningReceiver
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'querypost-receiver-'))
    writeFileSync(path.join(folder, 'vectors.json'), JSON.stringify(requests))
    receiver = await startReceiver({ commands: await language.prepare(folder), folder, secrets })
  })
  afterAll(async () => {
    await receiver?.stop()
    rmSync(folder, { recursive: true })
  })

  async function send(change: { id?: string; body?: string; sentBody?: string; secret?: string; sentAt?: Date; url?: string }) {
    const { id = 'evt_1', body = eventBody(id), sentBody = body, url = receiver.url, ...rest } = change
    const headers = await signatureHeaders({ id, body, secret: secret!, ...rest })
    const response = await fetch(url, { method: 'POST', body: sentBody, headers: { 'content-type': 'application/json', ...headers } })
    return { status: response.status, text: (await response.text()).trim() }
  }
  const stored = (id: string) => path.join(folder, 'events', id)

  test('gives the expected verdict for every vector', () => {
    // The first receiver calls the library, which has its own tests for every vector.
    const expected = language === typescript ? [] : expectedVerdicts
    expect(receiver.verdicts.map((verdict, index) => ({ name: expectedVerdicts[index]!.name, verdict }))).toEqual(expected)
  })

  test('answers 500 when it cannot store an event, and accepts the retry', async () => {
    // The folder does not exist before the first event. A file in its place prevents it.
    writeFileSync(path.join(folder, 'events'), '')
    expect((await send({ id: 'evt_again' })).status).toBe(500)
    rmSync(path.join(folder, 'events'))
    expect((await send({ id: 'evt_again' })).status).toBe(204)
    expect(readFileSync(stored('evt_again'), 'utf8')).toBe(eventBody('evt_again'))
  })

  test('stores a genuine event once, byte for byte, and answers 204 to every delivery of it', async () => {
    expect(await send({ id: 'evt_first' }), receiver.output()).toMatchObject({ status: 204 })
    expect(readFileSync(stored('evt_first'), 'utf8')).toBe(eventBody('evt_first'))
    expect(await send({ id: 'evt_first', sentAt: new Date(Date.now() - 60_000) })).toMatchObject({ status: 204 })
    expect(await send({ id: 'evt_next', secret: nextSecret! })).toMatchObject({ status: 204 })
    expect(existsSync(stored('evt_next'))).toBe(true)
  })

  test('rejects with 400 and the reason, and stores nothing', async () => {
    const refused = (text: string) => ({ status: 400, text })
    expect(await send({ secret: foreignSecret! })).toEqual(refused('signature_mismatch'))
    expect(await send({ sentBody: eventBody('evt_1').replace('Stopped', 'Stoppd') })).toEqual(refused('signature_mismatch'))
    expect(await send({ sentAt: new Date(Date.now() - 400_000) })).toEqual(refused('timestamp_too_old'))
    expect(await send({ body: eventBody('evt_other') })).toEqual(refused('id_mismatch'))
    expect(existsSync(stored('evt_1'))).toBe(false)
  })

  test('answers 404 on other paths', async () => {
    expect((await send({ url: receiver.url.replace('/hook', '/other') })).status).toBe(404)
  })
})

test('all languages are covered, and the installed ones that are wanted ran', () => {
  expect(languages.map(({ name }) => name)).toEqual(['node', 'python', 'go', 'ruby', 'php', 'java'])
  expect(strayNames).toEqual([])
  const namesOf = (some: Language[]) => some.map(({ name }) => name).join(', ') || 'none'
  const missing = languages.filter(({ isInstalled }) => !isInstalled)
  const slow = languages.filter((language) => language.isInstalled && !isWanted(language))
  // Print which ones ran, so that a language that is left out is not taken for a success.
  // eslint-disable-next-line no-console
  console.info(`Receivers tested: ${namesOf(tested)}; not installed: ${namesOf(missing)}; only with RECEIVERS=all: ${namesOf(slow)}`)
  expect(tested.map(({ name }) => name)).toEqual(expect.arrayContaining(['typescript', 'node']))
})

test.each<[string, [number, number], boolean]>([
  ['openjdk 17.0.15 2025-04-15', [17, 0], true],
  ['openjdk 11.0.2', [17, 0], false],
  ['java 24', [17, 0], true],
  ['go version go1.26.8 linux/amd64', [1, 22], true],
  ['go version go1.9 linux/amd64', [1, 22], false],
  ['ruby 2.6.10p210', [3, 0], false],
  ['Python 3.11.7', [3, 9], true],
  ['no version at all', [1, 0], false],
])('%s is new enough for %j: %s', (version, oldest, isEnough) => {
  expect(isAtLeast(version, oldest)).toBe(isEnough)
})
