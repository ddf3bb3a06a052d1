import { describe, expect, test } from 'vitest'
import { colorJson, faultOf, formatBody, requestOf, sizeText } from './reference.js'

const key = { in: 'key', value: ' qp_live_x \n' } as const

describe('the request of a form', () => {
  test('has the key in a header, and parameters in their places', () => {
    const fields = [
      key,
      { in: 'path', name: 'id', value: 'a/b $&' },
      { in: 'query', name: 'limit', value: '5' },
      { in: 'query', name: 'cursor', value: ' ' },
      { in: 'header', name: 'if-none-match', value: '"x"' },
    ] as const
    expect(requestOf({ method: 'GET', path: '/api/things/{id}/parts', fields: [...fields] })).toEqual({
      method: 'GET',
      url: '/api/things/a%2Fb%20%24%26/parts?limit=5',
      headers: { authorization: 'Bearer qp_live_x', 'if-none-match': '"x"' },
      body: undefined,
    })
  })

  test('sends the body as JSON', () => {
    const fields = [key, { in: 'body', value: '{ "a": 1 }' } as const]
    expect(requestOf({ method: 'POST', path: '/api/things', fields })).toMatchObject({
      headers: { 'content-type': 'application/json' },
      body: '{ "a": 1 }',
    })
  })

  test('never has the key in its URL', () => {
    const { url, body } = requestOf({ method: 'GET', path: '/api/me', fields: [key] })
    expect(url + String(body)).not.toContain('qp_live')
  })
})

test('names what is wrong with a field', () => {
  expect(faultOf({ in: 'key', value: 'qp_live_ x' })).toContain('no spaces')
  expect(faultOf({ in: 'key', value: ' qp_live_x ' })).toBe('')
  expect(faultOf({ in: 'body', value: '{' })).toContain('valid JSON')
  expect(faultOf({ in: 'body', value: '' })).toBe('')
  expect(faultOf({ in: 'query', name: 'a', value: '{' })).toBe('')
})

test('indents JSON and leaves other text alone', () => {
  expect(formatBody('{"a":1}', 'application/json; charset=utf-8')).toBe('{\n  "a": 1\n}')
  expect(formatBody('{"a":1}', 'text/csv')).toBe('{"a":1}')
  expect(formatBody('{"a":1}\n{"a":2}', 'application/jsonl')).toBe('{"a":1}\n{"a":2}')
  expect(formatBody('{', 'application/json')).toBe('{')
})

test('colors JSON without changing it', () => {
  const text = JSON.stringify({ 'a"b': 'c: 1', n: [-1.5e-7, true, null], e: '' }, null, 2)
  const parts = colorJson(text)
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(parts.filter(({ className }) => className !== '').map((part) => [part.className, part.text])).toEqual([
    ['hljs-attr', String.raw`"a\"b"`],
    ['hljs-string', '"c: 1"'],
    ['hljs-attr', '"n"'],
    ['hljs-number', '-1.5e-7'],
    ['hljs-literal', 'true'],
    ['hljs-literal', 'null'],
    ['hljs-attr', '"e"'],
    ['hljs-string', '""'],
  ])
})

test.each([
  [999, '999 B'],
  [1500, '1.5 kB'],
  [2_340_000, '2.3 MB'],
])('writes a size of %d bytes as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
