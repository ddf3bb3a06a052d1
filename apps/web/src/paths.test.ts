import { expect, test } from 'vitest'
import { isPagePath, pagePatterns, paths, returnToIn } from './paths.ts'

const origin = 'https://querypost.test'

test('returns to the requested page after sign-in', () => {
  for (const wanted of ['/', '/account', '/q/abcdefghij?country=C%C3%B4te+d%27Ivoire&n=1']) {
    expect(returnToIn(new URL(paths.signIn(wanted), origin).search, origin)).toBe(wanted)
  }
  expect(returnToIn('', origin)).toBe('/')
})

test.each([
  'https://elsewhere.test/q/abcdefghij',
  '//elsewhere.test',
  '/\\elsewhere.test',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://querypost.test/',
  'https://',
])('sign-in never leads to another site: %s', (wanted) => {
  expect(returnToIn(`?${new URLSearchParams({ returnTo: wanted })}`, origin)).toBe('/')
})

test('every linked path is a page', () => {
  const addresses = Object.values(paths).map((path) => (typeof path === 'string' ? path : (path as (part: never) => string)('odd/one ?' as never)))
  for (const address of addresses) expect(isPagePath(new URL(address, origin).pathname), address).toBe(true)
})

test.each(['/q/', '/q/a/b', '/settings', '/settings/webhooks/we_1/deliveries', '/api/me', ''])('%s is no page', (path) => {
  expect(isPagePath(path)).toBe(false)
})

test('every page has exactly one pattern', () => {
  expect(new Set(pagePatterns).size).toBe(pagePatterns.length)
})
