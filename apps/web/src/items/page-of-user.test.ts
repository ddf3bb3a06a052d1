import { expect, test } from 'vitest'
import { pageOfUser } from './page-of-user.ts'

test.each([
  ['/references/h5w8r3tzqa', '/q/h5w8r3tzqa'],
  ['/boards/h5w8r3tzqa', '/b/h5w8r3tzqa'],
  ['/automations/aut_1', '/automations/aut_1'],
])('finds the page of %s', (path, page) => {
  expect(pageOfUser(path)).toBe(page)
})
