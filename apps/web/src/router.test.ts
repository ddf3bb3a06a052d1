import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { makeQueryClient } from './api/query-client.ts'
import { pagePatterns } from './paths.ts'
import { makeRouter } from './router.tsx'

const router = makeRouter(makeQueryClient(), createMemoryHistory({ initialEntries: ['/'] }))

/** The pattern of the page for a path, in the notation of `paths.ts`. */
function pageOf(path: string): string | undefined {
  const [, parts, found] = router.getMatchedRoutes(path)
  // The rest of a path that only starts like a page's.
  return '**' in parts ? undefined : found?.fullPath.replaceAll('$', ':')
}

test.each(pagePatterns)('%s has its page', (pattern) => {
  const path = pattern.replaceAll(/:\w+/g, 'some-one')
  const withSlash = path === '/' ? path : `${path}/`
  expect([pageOf(path), pageOf(withSlash)]).toEqual([pattern, pattern])
})

test.each(['/q', '/q/a/b', '/settings', '/automations/a/b', '/nowhere'])('%s has none', (path) => {
  expect(pageOf(path)).toBeUndefined()
})

test('leaves query parameters unchanged', () => {
  const { parseSearch, stringifySearch } = router.options
  for (const search of ['?n=1.0&big=9007199254740993&yes=true&day=2025-01-31', '?q=%22x%22&empty=', '?country=DE&country=FR&n=1', '']) {
    expect(stringifySearch(parseSearch(search))).toBe(search)
  }
})
