// The parts of the vectors. Signs with node:crypto and without the library, so that the two check each other.
import { createHash, createHmac } from 'node:crypto'

export type Body = string | Buffer
export type Headers = Record<string, string | string[]>

export const sentSeconds = 1_790_000_000
const sentTimestamp = String(sentSeconds)
const key = (name: string) => createHash('sha256').update(`test vector key: ${name}`).digest()
export const keys = { current: key('current'), next: key('next'), foreign: key('foreign') }
export const secretOf = (bytes: Buffer) => `whsec_${bytes.toString('base64')}`

export const id = 'evt_8cQm3vTz5KpWn2RyXd7LbH'
const run = { automationId: 'auto_4Vn8sKdQw2', automationName: 'Daily revenue', runId: 'arun_7Hc3mZxPq9' }
const chatUrl = 'https://querypost.example.com/chats/k7Rm2QwXn4'
export const completed = {
  id,
  type: 'automation.run.completed',
  createdAt: '2026-09-21T13:33:19.250Z',
  data: { ...run, summary: 'Revenue was 48,210.50, up 4 % on the day before.', chatUrl, imageUrl: null },
}
export const failed = {
  ...completed,
  type: 'automation.run.failed',
  data: { ...run, chatUrl, reason: 'Stopped by ada@example.com.' },
}
export const changed = {
  ...completed,
  type: 'reference.changed',
  data: {
    referenceShortId: 'k7m2p9qxwd',
    title: 'Umsätze je Woche',
    permalink: 'https://querypost.example/q/k7m2p9qxwd',
    number: 12,
    at: '2026-09-21T13:33:19.000Z',
    fromRunId: 'run_1',
    toRunId: 'run_2',
    fromResultHash: 'a',
    toResultHash: 'b',
    keyColumns: ['week'],
    isKeyUnique: true,
    isReplacement: false,
    added: 1,
    removed: 0,
    changed: 0,
    rowsUrl: 'https://querypost.example/api/references/k7m2p9qxwd/changes/12/rows',
    patchUrl: 'https://querypost.example/api/references/k7m2p9qxwd/changes/12/patch',
    sampleRows: [{ op: 'add', key: ['2025-12-29'], after: ['2025-12-29', 2011] }],
  },
}
/** The default body. */
export const json = JSON.stringify(completed)

interface Signing {
  bytes?: Buffer
  as?: string
  timestamp?: string
}

export function hmac(body: Body, { bytes = keys.current, as = id, timestamp = sentTimestamp }: Signing = {}) {
  return createHmac('sha256', bytes).update(`${as}.${timestamp}.`).update(body).digest()
}

export const svc = (body: Body, signing: Signing = {}): Headers => ({
  'svc-webhook-id': signing.as ?? id,
  'svc-webhook-timestamp': signing.timestamp ?? sentTimestamp,
  'svc-webhook-signature': `v1=${hmac(body, signing).toString('hex')}`,
})

export const standard = (body: Body, signing: Signing = {}): Headers => ({
  'webhook-id': signing.as ?? id,
  'webhook-timestamp': signing.timestamp ?? sentTimestamp,
  'webhook-signature': `v1,${hmac(body, signing).toString('base64')}`,
})

export const both = (body: Body, signing?: Signing): Headers => ({ ...svc(body, signing), ...standard(body, signing) })

interface Input {
  body?: Body
  headers?: Headers
  secrets?: string[]
  now?: number
  toleranceSeconds?: number
}

export function accepted(name: string, input: Input = {}, type = 'automation.run.completed') {
  return vector(name, input, { ok: true, eventId: id, type })
}

export function refused(code: string, name: string, input: Input = {}) {
  return vector(name, input, { ok: false, code })
}

function vector(name: string, input: Input, expected: object) {
  const { body = json, headers = both(body), secrets = [secretOf(keys.current)] } = input
  const { now = sentSeconds + 2, toleranceSeconds = 300 } = input
  const bodyField = typeof body === 'string' ? { body } : { bodyBase64: body.toString('base64') }
  return { name, secrets, headers, ...bodyField, now, toleranceSeconds, expected }
}
