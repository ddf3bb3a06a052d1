import { expect, test } from 'vitest'
import { joinPages, pageAddress } from './pages.ts'

test('the address of a page names what was given', () => {
  expect(pageAddress('/chats', {})).toBe('/chats')
  expect(pageAddress('/chats', { limit: 5 })).toBe('/chats?limit=5')
  expect(pageAddress('/chats', { cursor: 'a&b=c', limit: 100 })).toBe('/chats?limit=100&cursor=a%26b%3Dc')
})

test('a beginning that was loaded anew stands before what was loaded below it, each item once and as it is now', () => {
  const first = [{ id: 'new', n: 1 }, { id: 'a', n: 2 }]
  const later = [{ id: 'a', n: 0 }, { id: 'b', n: 0 }, { id: 'c', n: 0 }]
  expect(joinPages(first, later, (item) => item.id)).toEqual([...first, { id: 'b', n: 0 }, { id: 'c', n: 0 }])
})
