import { expect, test } from 'vitest'
import { UnreadableRequest, utf8 } from './captured-request.ts'
import { readJsonRequest } from './read-json-request.ts'
import { readRawRequest } from './read-raw-request.ts'

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const headers = [
  ['Host', 'localhost:4000'],
  ['svc-webhook-id', 'evt_1'],
]

test.each([
  ['CRLF', 'POST /hook HTTP/1.1\r\nHost: localhost:4000\r\nsvc-webhook-id: evt_1\r\n\r\n{"a": 1}\r\n'],
  ['LF', 'POST /hook HTTP/1.1\nHost:localhost:4000 \nsvc-webhook-id:   evt_1\n\n{"a": 1}\r\n'],
  ['headers only', 'Host: localhost:4000\nsvc-webhook-id: evt_1\n\n{"a": 1}\r\n'],
  ['an empty line in front', '\nPOST /hook HTTP/1.1\nHost: localhost:4000\nsvc-webhook-id: evt_1\n\n{"a": 1}\r\n'],
  [
    'curl -v',
    '*   Trying 127.0.0.1:4000...\n* Connected\n> POST /hook HTTP/1.1\n> Host: localhost:4000\n> ' +
    'svc-webhook-id: evt_1\n>\n{"a": 1}\r\n< HTTP/1.1 200 OK\n<\n* Closing\n',
  ],
])('raw: %s', (_, text) => {
  const request = readRawRequest(utf8(text))
  expect(request).toMatchObject({ headers, notes: [] })
  expect(textOf(request.body)).toBe('{"a": 1}\r\n')
})

test.each([
  ['no more than announced, where the rest is the end of a file', 'Content-Length: 3\n\nabc\n', 'abc'],
  [
    'no more than announced, where another request follows',
    'Content-Length: 3\n\nabcPOST / HTTP/1.1\nHost: x\n\n',
    'abc',
  ],
  ['all of it, where it was changed', 'Content-Length: 3\n\na b c', 'a b c'],
  ['all of it, where some is missing', 'Content-Length: 9\n\nabc', 'abc'],
  ['chunks', 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n', 'abc'],
  ['what only says that it is in chunks', 'Transfer-Encoding: chunked\n\nabc', 'abc'],
  ['nothing', 'Host: x\n', ''],
])('the body is %s', (_, text, body) => {
  expect(textOf(readRawRequest(utf8(text)).body)).toBe(body)
})

test.each([
  ['', 'holds no request'],
  ['hello', 'Its first line is no header: "hello"'],
  ['Host: x\n{"a": 1}', 'Leave an empty line between headers and body'],
])('%j is refused', (text, words) => {
  expect(() => readRawRequest(utf8(text))).toThrow(words)
})

test.each<[string, unknown]>([
  ['an object', { headers: { Host: 'localhost:4000', 'svc-webhook-id': ['evt_1'] }, body: 'abc' }],
  ['pairs', { headers, body: 'abc' }],
  ['a gateway', { headers: Object.fromEntries(headers), body: 'YWJj', isBase64Encoded: true }],
  ['base64', { headers, bodyBase64: 'YWJj' }],
])('JSON: %s', (_, value) => {
  const request = readJsonRequest(JSON.stringify(value))!
  expect(request).toMatchObject({ headers, notes: [] })
  expect(textOf(request.body)).toBe('abc')
})

test('a HAR file: the first webhook in it, with its time', () => {
  const entry = (id: string | null, text: string) => ({
    startedDateTime: '2026-03-01T12:00:01.500Z',
    request: {
      headers: [{ name: 'Host', value: 'x' }, ...(id ? [{ name: 'svc-webhook-id', value: id }] : [])],
      postData: { text },
    },
  })
  const archive = { log: { entries: [entry(null, 'a'), entry('evt_1', 'b'), entry('evt_2', 'c')] } }
  const request = readJsonRequest(JSON.stringify(archive))!
  expect(textOf(request.body)).toBe('b')
  expect(request.capturedAt).toEqual(new Date('2026-03-01T12:00:01.500Z'))
  expect(request.notes).toEqual(['Of 2 webhook requests in it the first was taken.'])
})

test('a body that was caught parsed is written again, and that is said', () => {
  const request = readJsonRequest('{"headers": {}, "body": {"a": 1}}')!
  expect(textOf(request.body)).toBe('{"a":1}')
  expect(request.notes[0]).toContain('after it had been parsed')
})

test.each([
  ['[1]', 'no request'],
  ['{"body": "x"}', 'without "headers"'],
  ['{"headers": {}}', 'without "body"'],
  ['{"log": {"entries": []}}', 'holds no request'],
])('%s is refused', (text, words) => {
  expect(() => readJsonRequest(text)).toThrow(UnreadableRequest)
  expect(() => readJsonRequest(text)).toThrow(words)
})

test('what is no JSON is left to others', () => expect(readJsonRequest('{ nothing')).toBeUndefined())
