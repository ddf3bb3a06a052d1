import { expect, test } from 'vitest'
import { paths, placeOf, returnToIn } from './paths.ts'

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

test('a path leads to its page, with or without a slash at its end', () => {
  expect(placeOf('/')).toEqual({ page: 'home' })
  expect(placeOf('/automations')).toEqual({ page: 'automations' })
  expect(placeOf('/automations/')).toEqual({ page: 'automations' })
  expect(placeOf('/automations/new')).toEqual({ page: 'new_automation' })
  expect(placeOf('/settings/agents')).toEqual({ page: 'agent_settings' })
})

test('a path names what its page shows', () => {
  expect(placeOf(paths.permalink('abcdefghij'))).toEqual({ page: 'permalink', shortId: 'abcdefghij' })
  expect(placeOf('/q/abcdefghij/')).toEqual({ page: 'permalink', shortId: 'abcdefghij' })
  expect(placeOf(paths.chat('abcdefghij'))).toEqual({ page: 'chat', shortId: 'abcdefghij' })
  expect(placeOf(paths.run('run_1'))).toEqual({ page: 'run', id: 'run_1' })
  expect(placeOf(paths.automation('odd/one ?'))).toEqual({ page: 'automation', id: 'odd/one ?' })
})

test.each(['/q/', '/q/a/b', '/runs', '/settings', '/settings/webhooks/we_1', '/api/me', ''])('%s is no page', (path) => {
  expect(placeOf(path)).toBeUndefined()
})

test('a path that nobody could have written is a name like any other', () => {
  expect(placeOf('/chats/%E0%A4%A')).toEqual({ page: 'chat', shortId: '%E0%A4%A' })
})
