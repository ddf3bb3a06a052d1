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
])('reads a raw request: %s', (_, text) => {
  const request = readRawRequest(utf8(text))
  expect(request).toMatchObject({ headers, notes: [] })
  expect(textOf(request.body)).toBe('{"a": 1}\r\n')
})

test.each([
  ['cut at Content-Length when a line break follows', 'Content-Length: 3\n\nabc\n', 'abc'],
  [
    'cut at Content-Length when another request follows',
    'Content-Length: 3\n\nabcPOST / HTTP/1.1\nHost: x\n\n',
    'abc',
  ],
  ['kept whole when it was changed', 'Content-Length: 3\n\na b c', 'a b c'],
  ['kept whole when some is missing', 'Content-Length: 9\n\nabc', 'abc'],
  ['decoded from chunks', 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n', 'abc'],
  ['kept when it is not really chunked', 'Transfer-Encoding: chunked\n\nabc', 'abc'],
  ['empty', 'Host: x\n', ''],
])('the body is %s', (_, text, body) => {
  expect(textOf(readRawRequest(utf8(text)).body)).toBe(body)
})

test.each([
  ['', 'contains no request'],
  ['hello', 'The first line is not a header: "hello"'],
  ['Host: x\n{"a": 1}', 'Put an empty line between headers and body'],
])('rejects %j', (text, words) => {
  expect(() => readRawRequest(utf8(text))).toThrow(words)
})

test.each<[string, unknown]>([
  ['an object', { headers: { Host: 'localhost:4000', 'svc-webhook-id': ['evt_1'] }, body: 'abc' }],
  ['pairs', { headers, body: 'abc' }],
  ['a gateway', { headers: Object.fromEntries(headers), body: 'YWJj', isBase64Encoded: true }],
  ['base64', { headers, bodyBase64: 'YWJj' }],
])('reads JSON: %s', (_, value) => {
  const request = readJsonRequest(JSON.stringify(value))!
  expect(request).toMatchObject({ headers, notes: [] })
  expect(textOf(request.body)).toBe('abc')
})

test('reads the first webhook in a HAR file, with its time', () => {
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
  expect(request.notes).toEqual(['The file has 2 webhook requests; using the first.'])
})

test('serializes a body that was captured after parsing, and says so', () => {
  const request = readJsonRequest('{"headers": {}, "body": {"a": 1}}')!
  expect(textOf(request.body)).toBe('{"a":1}')
  expect(request.notes[0]).toContain('captured after parsing')
})

test.each([
  ['[1]', 'not a request'],
  ['{"body": "x"}', 'has no "headers"'],
  ['{"headers": {}}', 'has no "body"'],
  ['{"log": {"entries": []}}', 'contains no request'],
])('rejects %s', (text, words) => {
  expect(() => readJsonRequest(text)).toThrow(UnreadableRequest)
  expect(() => readJsonRequest(text)).toThrow(words)
})

test('leaves text that is not JSON to the other reader', () => expect(readJsonRequest('{ nothing')).toBeUndefined())
