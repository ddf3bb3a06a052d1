import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Check } from '../checks.ts'
import { type CapturedRequest, utf8 } from './captured-request.ts'
import { diagnose } from './diagnose.ts'
import { capture, event, secretA, secretB, sentAt, sentBody } from '../../testing/captured-requests.ts'

const at = (seconds: number) => new Date(sentAt.getTime() + seconds * 1000)

async function diagnosed(request: CapturedRequest, options: { secrets?: string[]; now?: Date } = {}) {
  const { secrets = [secretA], now = at(2) } = options
  const diagnosis = await diagnose({ request, secrets, now, toleranceSeconds: 300 })
  const found = (name: string): Check => diagnosis.checks.find((check) => check.name === name)!
  const failures = diagnosis.checks.filter(({ state }) => state === 'failed').map(({ name }) => name)
  return { ...diagnosis, found, failures }
}

const withBody = async (body: Uint8Array | string) => ({
  ...(await capture()),
  body: typeof body === 'string' ? utf8(body) : Uint8Array.from(body),
})
const withHeaders = async (change: (headers: CapturedRequest['headers']) => CapturedRequest['headers']) => {
  const request = await capture()
  return { ...request, headers: change(request.headers) }
}
const replaced = (name: string, value: string) =>
  withHeaders((headers) => headers.map(([other, old]): [string, string] => [other, other === name ? value : old]))

test('a genuine request passes every check and yields its event', async () => {
  const { isGenuine, code, event: given, failures, checks } = await diagnosed(await capture())
  expect({ isGenuine, code, failures }).toEqual({ isGenuine: true, code: null, failures: [] })
  expect(given).toEqual(event)
  expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'headers ok',
    'secret ok',
    'body ok',
    'signature ok',
    'clock ok',
    'event ok',
  ])
})

describe('clock', () => {
  test.each([
    [at(301), 'timestamp_too_old', '5 minutes 1 second before 2026-03-01T12:05:01Z', 'this clock is ahead'],
    [at(-301), 'timestamp_too_new', '5 minutes 1 second after 2026-03-01T11:54:59Z', 'clock is behind. Synchronize it'],
    [at(7210), 'timestamp_too_old', '2 hours before', 'almost exactly 2 hours'],
    [at(-3590), 'timestamp_too_new', '59 minutes 50 seconds after', 'almost exactly one hour'],
    [at(200_000), 'timestamp_too_old', '2 days 7 hours before', '--at 2026-03-01T12:00:00Z'],
  ])('at %s: %s', async (now, code, expected, remedy) => {
    const diagnosis = await diagnosed(await capture(), { now })
    expect([diagnosis.code, diagnosis.failures]).toEqual([code, ['clock']])
    expect(diagnosis.found('clock').message).toContain(expected)
    expect(diagnosis.found('clock').remedy).toContain(remedy)
    expect(diagnosis.found('event').state).toBe('ok')
  })
})

describe('secret', () => {
  test.each([
    ['with quotes', [`"${secretA}"`], 'has quotes around it. Without that, it matches'],
    ['with its name', [`SECRET=${secretA}`], 'starts with the name of its variable. Without that, it matches'],
    ['without whsec_', [secretA.slice(6)], 'does not start with whsec_. Without that, it matches'],
    ['without padding', [secretA.replace(/=+$/, '')], 'right number of =. Without that, it matches'],
    [
      'in the other alphabet',
      [secretA.slice(0, 6) + secretA.slice(6).replaceAll('+', '-').replaceAll('/', '_')],
      'Without that, it matches',
    ],
    ['cut off by one character', [secretA.slice(0, -2)], 'is incomplete'],
    ['cut off by much', [secretA.slice(0, 20)], 'this one has 10: its end is missing'],
    ['with other characters', ['whsec_…………'], 'contains characters that no secret has'],
  ])('%s', async (_, secrets, expected) => {
    const diagnosis = await diagnosed(await capture(), { secrets })
    expect([diagnosis.code, diagnosis.failures[0]]).toEqual(['bad_secret', 'secret'])
    expect(diagnosis.found('secret').message).toContain(expected)
    for (const { message } of diagnosis.checks) expect(message).not.toContain(secretA.slice(10, 20))
  })

  test('reports a secret that was cut to a valid but shorter one', async () => {
    const { code, found } = await diagnosed(await capture(), { secrets: [secretA.slice(0, 6 + 40)] })
    expect(code).toBe('signature_mismatch')
    expect(found('secret')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('this one has 30') as string,
    })
  })

  test('suspects the secret of another endpoint when the body is unchanged', async () => {
    const { code, found, failures } = await diagnosed(await capture(), { secrets: [secretB] })
    expect([code, failures]).toEqual(['signature_mismatch', ['secret', 'signature']])
    expect(found('secret').message).toContain('the secret of another endpoint, or an old one')
  })

  test('names the secret that matches, also after a rotation', async () => {
    const { isGenuine, found } = await diagnosed(await capture({ secret: secretB }), { secrets: [secretA, secretB] })
    expect(isGenuine).toBe(true)
    expect(found('secret').message).toContain('Signed with secret 2 of 2, not with the first.')
    expect((await diagnosed(await capture(), { secrets: [secretA, secretB] })).found('secret').message).toBe(
      'Signed with secret 1 of 2.',
    )
  })
})

describe('a changed body', () => {
  const sorted = JSON.stringify({ createdAt: event.createdAt, data: event.data, id: event.id, type: event.type })
  test.each<[string, Uint8Array | string, string]>([
    ['line break', `${sentBody}\n`, 'got a line break at the end'],
    ['white space', ` ${sentBody} `, 'got surrounding white space'],
    ['pretty', JSON.stringify(event, null, 2), 'with line breaks and 2 spaces (pretty-printed)'],
    [
      'pretty, with tabs, CRLF and a line end',
      `${JSON.stringify(event, null, '\t').replaceAll('\n', '\r\n')}\r\n`,
      'tabs (pretty-printed)',
    ],
    ['Python', sentBody.replaceAll('":', '": ').replaceAll(',"', ', "'), 'with spaces after colons and commas'],
    ['PHP', sentBody.replaceAll('/', '\\/'), String.raw`with \/ for /`],
    ['Go', sentBody.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'), String.raw`with \u003c for <`],
    [
      'ASCII',
      sentBody.replaceAll(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
      'beyond ASCII',
    ],
    ['sorted keys', sorted, 'with its keys in another order'],
    [
      'sorted keys, pretty',
      JSON.stringify(JSON.parse(sorted), null, 4),
      'another order, and was parsed and serialized again with line breaks and 4 spaces',
    ],
    ['twice JSON', JSON.stringify(sentBody), 'was encoded as a JSON string'],
    ['base64', Buffer.from(sentBody).toString('base64'), 'is base64-encoded'],
    ['gzip', gzipSync(sentBody), 'is compressed with gzip'],
    ['chunks', `${utf8(sentBody).length.toString(16)}\r\n${sentBody}\r\n0\r\n\r\n`, 'chunked transfer encoding'],
    ['mark', `\uFEFF${sentBody}`, 'got a byte order mark'],
    ['UTF-16', Buffer.from(`\uFEFF${sentBody}`, 'utf16le'), 'UTF-16'],
    [
      'Latin-1, read so',
      new TextDecoder('windows-1252').decode(utf8(sentBody)),
      'was decoded as Latin-1 instead of UTF-8',
    ],
    ['NFD', sentBody.normalize('NFD'), 'another Unicode form'],
  ])('%s', async (_, body, expected) => {
    const { code, failures, found } = await diagnosed(await withBody(body))
    expect([code, failures]).toEqual(['signature_mismatch', ['body']])
    expect(found('body').message).toContain(expected)
    expect(found('secret').state).toBe('ok')
  })

  test('encoded in Latin-1', async () => {
    const text = sentBody.replace('–', '-').replace('€', 'EUR')
    const request = { ...(await capture({ body: text })), body: Uint8Array.from(Buffer.from(text, 'latin1')) }
    const { found, failures } = await diagnosed(request)
    expect(failures).toEqual(['body'])
    expect(found('body').message).toContain('was encoded in Latin-1')
  })

  test('reports characters that were lost permanently', async () => {
    const { found } = await diagnosed(await withBody(sentBody.replace('ö', '\uFFFD')))
    expect(found('body').message).toContain('characters were lost')
  })

  test.each([
    [-10, '10 of '],
    [3, 'but Content-Length is'],
  ])('%d bytes more than Content-Length', async (difference, expected) => {
    const changed = difference < 0 ? sentBody.slice(0, difference) : `${sentBody}   ${'x'.repeat(difference - 3)}`
    const request = await withBody(difference < 0 ? changed : changed.replace('3 %', '4 %'))
    request.headers.push(['Content-Length', String(utf8(sentBody).length)])
    const { failures, found } = await diagnosed(request)
    expect(failures).toContain('body')
    expect(found('body').message).toContain(expected)
  })

  test('a changed value puts both secret and body in doubt', async () => {
    const { code, found, failures } = await diagnosed(
      await withBody(JSON.stringify({ ...event, type: 'automation.run.failed' }, null, 2)),
    )
    expect([code, failures]).toEqual(['signature_mismatch', ['body', 'signature']])
    expect(found('secret').message).toContain('unless the body was changed')
  })

  test.each([
    ['', 'is empty'],
    ['hello', 'not JSON'],
  ])('%j', async (body, expected) => {
    expect((await diagnosed(await withBody(body))).found('body').message).toContain(expected)
  })
})

describe('headers', () => {
  const names = ['svc-webhook-id', 'svc-webhook-timestamp', 'svc-webhook-signature']
  test.each(names)('reports a missing %s and that the other family is complete', async (name) => {
    const diagnosis = await diagnosed(await withHeaders((headers) => headers.filter(([other]) => other !== name)))
    expect([diagnosis.code, diagnosis.failures]).toEqual(['missing_header', ['headers']])
    expect(diagnosis.found('headers').message).toBe(`${name} is missing. The webhook-… headers are complete.`)
    expect(diagnosis.found('secret').state).toBe('ok')
  })

  test('reports that all headers are missing', async () => {
    const { code, found } = await diagnosed(await withHeaders(() => [['host', 'x']]))
    expect([code, found('headers').message]).toEqual(['missing_header', `${names.join(', ')} are all missing.`])
  })

  test('accepts one header family', async () => {
    const { isGenuine, found } = await diagnosed(
      await withHeaders((headers) => headers.filter(([name]) => !name.startsWith('webhook'))),
    )
    expect([isGenuine, found('headers').message]).toEqual([true, 'The svc-webhook-… headers are complete.'])
  })

  test.each([
    [
      (name: string) => `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
      'HTTP_SVC_WEBHOOK_ID, as CGI, WSGI and PHP show headers',
    ],
    [(name: string) => name.replaceAll('-', '_'), 'svc_webhook_id, with underscores'],
  ])('recognizes another spelling', async (respell, expected) => {
    const request = await withHeaders((headers) =>
      headers.map(([name, value]): [string, string] => [respell(name), value]),
    )
    const diagnosis = await diagnosed(request)
    expect([diagnosis.code, diagnosis.failures]).toEqual(['missing_header', ['headers']])
    expect(diagnosis.found('headers').message).toContain(expected)
    expect(diagnosis.found('signature').state).toBe('ok')
  })

  test.each([
    ['evt_completed', 'with the same value each time'],
    ['evt_other', 'with different values'],
  ])('reports a repeated header: %s', async (value, expected) => {
    const { code, failures, found } = await diagnosed(
      await withHeaders((headers) => [...headers, ['Svc-Webhook-Id', value]]),
    )
    expect([code, failures]).toEqual(['duplicate_header', ['headers']])
    expect(found('headers').message).toBe(`svc-webhook-id appears more than once, ${expected}.`)
  })

  test.each([
    ['webhook-id', 'evt_other', 'headers_disagree', 'svc-webhook-id is "evt_completed", webhook-id is "evt_other"'],
    ['svc-webhook-timestamp', '1772366401', 'headers_disagree', 'svc-webhook-timestamp is "1772366401"'],
    ['svc-webhook-signature', `v1=${'A'.repeat(64)}`, 'bad_signature_format', 'has uppercase digits'],
    ['svc-webhook-signature', 'a'.repeat(64), 'bad_signature_format', 'does not start with v1'],
    ['svc-webhook-signature', 'v1=abc', 'bad_signature_format', 'is cut off: 6 characters'],
    ['webhook-signature', 'sha256=abc', 'bad_signature_format', 'is "sha256=abc"; expected is v1,<base64 of 32 bytes>'],
  ])('%s: %s', async (name, value, code, expected) => {
    const diagnosis = await diagnosed(await replaced(name, value))
    expect(diagnosis.code).toBe(code)
    expect(diagnosis.found('headers')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining(expected) as string,
    })
  })

  test.each([
    [(value: string) => `${value}000`, 'milliseconds'],
    [() => '2026-03-01T12:00:00Z', 'a date'],
    [() => 'yesterday', 'not a number'],
  ])('reports a timestamp in another format', async (change, expected) => {
    const request = await withHeaders((headers) =>
      headers.map(([name, value]): [string, string] => [name, name.endsWith('timestamp') ? change(value) : value]),
    )
    const { code, found } = await diagnosed(request)
    expect(code).toBe('bad_timestamp')
    expect(found('headers').message).toContain(expected)
  })

  test.each([
    ['webhook-signature', `v1,${'A'.repeat(43)}=`, 'svc-webhook-signature matches, webhook-signature does not.'],
    ['svc-webhook-signature', `v1=${'0'.repeat(64)}`, 'webhook-signature matches, svc-webhook-signature does not.'],
  ])('reports a %s of another request', async (name, value, expected) => {
    const diagnosis = await diagnosed(await replaced(name, value))
    expect([diagnosis.code, diagnosis.failures]).toEqual(['signature_mismatch', ['signature']])
    expect(diagnosis.found('signature').message).toBe(expected)
  })

  test('reports an id that was changed in both families', async () => {
    const request = await withHeaders((headers) =>
      headers.map(([name, value]): [string, string] => [name, name.endsWith('-id') ? 'evt_of_a_proxy' : value]),
    )
    const { code, found, failures } = await diagnosed(request)
    expect([code, failures]).toEqual(['signature_mismatch', ['signature', 'event']])
    expect(found('signature').message).toContain('The signature matches the id evt_completed, but the header has "evt_of_a_proxy".')
  })
})

describe('event', () => {
  test('reports an event with another id than the headers', async () => {
    const { code, failures } = await diagnosed(await capture({ id: 'evt_other' }))
    expect([code, failures]).toEqual(['id_mismatch', ['event']])
  })

  test('reports a body that is not an event', async () => {
    const { code, failures, found } = await diagnosed(await capture({ body: '{"id":"evt_completed"}' }))
    expect([code, failures]).toEqual(['bad_envelope', ['event']])
    expect(found('event').message).toContain('type is not a string')
  })
})
