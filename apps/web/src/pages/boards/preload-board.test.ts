import type { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { makeQueryClient } from '../../api/query-client.ts'
import { preloadBoard } from './preload-board.ts'

afterEach(() => vi.unstubAllGlobals())

const tile = (id: string, y: number) => ({ id, kind: 'reference', referenceShortId: 'r1', x: 0, y, width: 4, height: 4 })
const board = {
  shortId: 'abc',
  tabs: [],
  tiles: [tile('first', 0), tile('second', 4), tile('third', 8)],
  parameters: [{ name: 'country', displayName: 'Country', type: 'text', defaultValue: 'DE', description: '' }],
  references: [{ shortId: 'r1', visualization: { type: 'table' } }],
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

const window = { width: 1440, height: 900 }
const state = (tileId: string, runId: string | null) => ({ tileId, runId })
const short = (tileId: string, runId: string) => ({ tileId, runId, result: { fields: [], rows: [[tileId]], rowCount: 10_000 } })

/** The rows that the page finds, by tile. */
const keptRows = (queryClient: QueryClient) =>
  queryClient.getQueriesData<{ rows: unknown[][] } | null>({ queryKey: ['runs'] }).map(([[, runId], data]) => [runId, data?.rows ?? null])

test('loads the board and the results for the values in its URL, which the page then has at once', async () => {
  const requested = stubService((url) => Response.json(url.endsWith('/short-results') ? { tiles: [state('first', null)], shortResults: [] } : board))
  const queryClient = makeQueryClient()
  await preloadBoard(queryClient, { shortId: 'abc', search: '?country=FR', window })
  const tiles = '[{"tileId":"first","maxRows":800},{"tileId":"second","maxRows":800},{"tileId":"third","maxRows":800}]'
  expect(requested).toEqual(['GET /app/api/boards/abc', `POST /app/api/boards/abc/short-results {"parameters":{"country":"FR"},"tiles":${tiles}}`])
  expect(queryClient.getQueryData(['boards', 'abc', 'results', { country: 'FR' }])).toEqual({ tiles: [state('first', null)] })
})

test('keeps the rows of the tiles at the top, and which of them need their whole result', async () => {
  const states = [state('first', 'run_1'), state('second', 'run_2'), state('third', 'run_3')]
  const answer = { tiles: states, shortResults: [short('first', 'run_1'), short('second', 'run_of_a_moment_ago')] }
  const requested = stubService((url) => Response.json(url.endsWith('/short-results') ? answer : board))
  const queryClient = makeQueryClient()
  await preloadBoard(queryClient, { shortId: 'abc', search: '', window: { ...window, height: 500 } })
  expect(requested).toHaveLength(2)
  expect(keptRows(queryClient)).toEqual([['run_1', [['first']]], ['run_2', null]])
})

test('asks only for the states of a board without results at its top', async () => {
  const text = { ...board, tiles: [{ ...tile('first', 0), kind: 'text' }] }
  const requested = stubService((url) => Response.json(url.endsWith('/results') ? { tiles: [] } : text))
  await preloadBoard(makeQueryClient(), { shortId: 'abc', search: '', window })
  expect(requested).toEqual(['GET /app/api/boards/abc', 'POST /app/api/boards/abc/results {"parameters":{"country":"DE"}}'])
})

test('stops at a board that does not exist', async () => {
  const requested = stubService(() => Response.json({ code: 'board_not_found', message: 'There is no such board.' }, { status: 404 }))
  await expect(preloadBoard(makeQueryClient(), { shortId: 'abc', search: '', window })).rejects.toThrow('There is no such board.')
  expect(requested).toEqual(['GET /app/api/boards/abc'])
})
