import { expect, test } from 'vitest'
import { systemClock } from '@querypost/server/ports'
import { tryCommand } from '../../testing/command-context.ts'

const environment = { QUERYPOST_URL: 'https://querypost.test', QUERYPOST_API_KEY: `qp_live_${'k'.repeat(32)}` }
const change = (number: number) => ({
  number,
  at: '2026-03-01T08:00:00.000Z',
  added: 2,
  removed: 1,
  changed: 3,
  isReplacement: number === 2,
  rowsUrl: `https://querypost.test/api/references/k7Rm2QwXn4/changes/${number}/rows`,
})
const line = (number: number, note = '') => `${number}  2026-03-01T08:00:00.000Z  +2 -1 ~3${note}  ${change(number).rowsUrl}\n`

/** A feed whose changes appear one after the other: `numbers` says how many there are at each request. */
function feed(numbers: number[]) {
  const searches: string[] = []
  const answer = async (input: string | URL | Request) => {
    const { pathname, search, searchParams } = new URL(input instanceof Request ? input.url : input)
    expect(pathname).toBe('/api/references/k7Rm2QwXn4/changes')
    searches.push(search)
    const latestNumber = numbers[Math.min(searches.length, numbers.length) - 1]!
    const after = Number(searchParams.get('after') ?? 0)
    const items = Array.from({ length: latestNumber }, (_, index) => change(index + 1)).filter(({ number }) => number > after)
    return Response.json({ items, nextAfter: items.at(-1)?.number ?? after, latestNumber })
  }
  return { searches, fetch: answer }
}
/** Time passes at once, except for the limits of requests. */
const waits: number[] = []
const clock = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => {
    if (ms !== 7000) return new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
    waits.push(ms)
    return new Promise<void>((resolve) => setImmediate(resolve))
  },
}

test('prints the changes so far', async () => {
  const { fetch, searches } = feed([2])
  const { exitCode, stdout, stderr } = await tryCommand(['watch', 'k7Rm2QwXn4', '--after', '0', '--once'], { environment, fetch })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toBe(line(1) + line(2, '  (columns changed)'))
  expect(searches).toEqual(['?after=0&limit=100'])
})

test('prints each new change from now on, as JSON, until it is interrupted', async () => {
  const { fetch, searches } = feed([1, 1, 3])
  const stopping = new AbortController()
  const onOutput = (output: string) => void (output.split('\n').length > 2 && stopping.abort())
  const world = { environment, fetch, clock, signal: stopping.signal, onOutput }
  const { exitCode, stdout } = await tryCommand(['watch', 'https://querypost.test/q/k7Rm2QwXn4', '--every', '7', '--json'], world)
  expect(exitCode).toBe(0)
  expect(stdout.trim().split('\n').map((text) => JSON.parse(text) as unknown)).toEqual([change(2), change(3)])
  expect(searches.slice(0, 3)).toEqual(['?limit=1', '?after=1&limit=100', '?after=1&limit=100'])
  expect(waits).toContain(7000)
})

test.each([
  [['watch'], 'Name one query'],
  [['watch', 'k7Rm2QwXn4', '--after', 'x'], '--after x is not a number'],
  [['watch', 'k7Rm2QwXn4', '--every', '0'], '--every 0 is not a number of seconds'],
])('rejects %j', async (args, message) => {
  const { exitCode, stderr } = await tryCommand(args, { environment, fetch: feed([0]).fetch })
  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
})

test('says what to do if the changes after a number are gone', async () => {
  const refused = { type: 'invalid_request', code: 'changes_expired', message: 'The changes from 1 to 2 are no longer listed.', documentation_url: 'https://querypost.test/docs/errors#changes_expired' }
  const fetch = (async () => Response.json(refused, { status: 404 })) as typeof globalThis.fetch
  const { exitCode, stderr } = await tryCommand(['watch', 'k7Rm2QwXn4', '--after', '0'], { environment, fetch })
  expect(exitCode).toBe(1)
  expect(stderr).toContain('The changes from 1 to 2 are no longer listed.')
})
