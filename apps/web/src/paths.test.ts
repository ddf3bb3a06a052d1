import { expect, test } from 'vitest'
import { paths, returnToIn, shortIdIn } from './paths.ts'

const origin = 'https://querypost.test'

test('sign-in leads back to where one wanted to go', () => {
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

test('a permalink names its shortId', () => {
  expect(shortIdIn(paths.permalink('abcdefghij'))).toBe('abcdefghij')
  expect(shortIdIn('/q/abcdefghij/')).toBe('abcdefghij')
  expect(shortIdIn('/q/')).toBeUndefined()
  expect(shortIdIn('/q/a/b')).toBeUndefined()
})
