import { expect, test } from 'vitest'
import { readSince } from './since.ts'
import { readTarget } from './target.ts'

const now = new Date('2026-01-05T09:00:00.000Z')

test.each([
  ['30s', '2026-01-05T08:59:30.000Z'],
  ['10m', '2026-01-05T08:50:00.000Z'],
  ['2h', '2026-01-05T07:00:00.000Z'],
  ['1d', '2026-01-04T09:00:00.000Z'],
  ['2026-01-05T08:00:00+01:00', '2026-01-05T07:00:00.000Z'],
])('reads --since %s', (typed, since) => expect(readSince(typed, now).toISOString()).toBe(since))

test.each(['', '10', 'm', '10w', '1e3s', '-5m', '2026', '2026-13-01'])('rejects --since %j', (typed) => {
  expect(() => readSince(typed, now)).toThrow('--since takes')
})

test.each([
  ['localhost:4000/hook', 'http://localhost:4000/hook'],
  ['127.0.0.1:4000', 'http://127.0.0.1:4000/'],
  ['http://[::1]:4000/', 'http://[::1]:4000/'],
  ['http://shop.localhost/hook', 'http://shop.localhost/hook'],
  ['https://hooks.example/hook', 'https://hooks.example/hook'],
])('forwards to %s', (typed, href) => expect(readTarget(typed, []).url.href).toBe(href))

test.each(['http://localhost.example/', 'http://127.0.0.1.example/', 'http://10.0.0.1/', 'example.com'])('rejects forward %s', (typed) => {
  expect(() => readTarget(typed, [])).toThrow('is another machine')
})

test('reads headers as curl does', () => {
  const { headers } = readTarget('localhost', ['X-Tenant: shop ', 'x-empty:'])
  expect(headers).toEqual({ 'x-tenant': 'shop', 'x-empty': '' })
  for (const odd of ['x-tenant', 'x tenant: a', ': a', 'x: a\r\ny: b']) expect(() => readTarget('localhost', [odd])).toThrow('not a header')
})
