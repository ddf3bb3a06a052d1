import { afterEach, expect, test, vi } from 'vitest'
import { makeQueryClient } from '../../api/query-client.ts'
import { preloadBoard } from './preload-board.ts'

afterEach(() => vi.unstubAllGlobals())

const board = {
  parameters: [{ name: 'country', displayName: 'Country', type: 'text', defaultValue: 'DE', description: '' }],
  references: [{ visualization: { type: 'table' } }],
}

/** Answers with the board and its results. Returns what was requested. */
function stubService(answerOf: (path: string) => Response): string[] {
  const requested: string[] = []
  vi.stubGlobal('fetch', (url: string, { method, body }: { method: string; body?: string }) => {
    requested.push([method, url, body].filter((part) => part !== undefined).join(' '))
    return Promise.resolve(answerOf(url))
  })
  return requested
}

test('loads the board and the results for the values in its URL, which the page then has at once', async () => {
  const requested = stubService((url) => Response.json(url.endsWith('/results') ? { tiles: [] } : board))
  const queryClient = makeQueryClient()
  await preloadBoard(queryClient, { shortId: 'abc', search: '?country=FR' })
  expect(requested).toEqual(['GET /app/api/boards/abc', 'POST /app/api/boards/abc/results {"parameters":{"country":"FR"}}'])
  expect(queryClient.getQueryData(['boards', 'abc', 'results', { country: 'FR' }])).toEqual({ tiles: [] })
})

test('stops at a board that does not exist', async () => {
  const requested = stubService(() => Response.json({ code: 'board_not_found', message: 'There is no such board.' }, { status: 404 }))
  await expect(preloadBoard(makeQueryClient(), { shortId: 'abc', search: '' })).rejects.toThrow('There is no such board.')
  expect(requested).toEqual(['GET /app/api/boards/abc'])
})
