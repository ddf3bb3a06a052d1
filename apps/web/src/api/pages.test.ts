import { expect, test } from 'vitest'
import { pageAddress } from './pages.ts'

test('the address of a page names what was given', () => {
  expect(pageAddress('/chats', {})).toBe('/chats')
  expect(pageAddress('/chats', { limit: 5 })).toBe('/chats?limit=5')
  expect(pageAddress('/chats', { cursor: 'a&b=c', limit: 100 })).toBe('/chats?limit=100&cursor=a%26b%3Dc')
})
