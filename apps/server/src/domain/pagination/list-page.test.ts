import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { logPlace, makeLogCursorCodec } from '../webhooks/deliveries/log-cursor.ts'
import type { ItemKey, PageRequest } from '../../model/page.ts'
import { makeListCursorCodec } from './list-cursor.ts'
import { readListPage, withKeys } from './list-page.ts'

const secretKey = Buffer.alloc(32, 1)
const listCursors = makeListCursorCodec({ secretKey, purpose: 'querypost list cursor v1' })
const place = { organizationId: 'org_shop', list: 'numbers', filter: 'even' }
const keyOf = (number: number): ItemKey => ({ createdAt: '2026-01-05T09:00:00.000000Z', id: String(number) })

/** A list of numbers in which each page scans at most `lookMax` of them. */
function numbers(all: number[], { lookMax = Infinity, isListed = (_: number): boolean => true } = {}) {
  const clock = manualClock()
  const counts: number[] = []
  const list = (request: PageRequest, of = place) =>
    readListPage({ clock, listCursors }, {
      place: of,
      request,
      async read({ count, after }) {
        counts.push(count)
        const start = after ? all.indexOf(Number(after.id)) + 1 : 0
        const looked = all.slice(start, start + lookMax)
        const rows = withKeys(looked.filter(isListed).slice(0, count), keyOf)
        const isWhole = start + lookMax >= all.length
        return { rows, lookedUpTo: isWhole ? null : keyOf(looked.at(-1)!) }
      },
    })
  async function walk(limit: number) {
    const pages: number[][] = []
    let cursor: string | undefined
    do {
      const page = await list({ limit, ...(cursor !== undefined && { cursor }) })
      pages.push(page.items)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return pages
  }
  return { list, walk, counts, clock }
}

describe('readListPage', () => {
  test('a walk returns every item once and in order, whatever the limits', async () => {
    const sizes = fc.integer({ min: 0, max: 40 })
    const limits = fc.integer({ min: 1, max: 12 })
    const lookMaxes = fc.constantFrom(1, 3, 7, Infinity)
    await fc.assert(
      fc.asyncProperty(sizes, limits, lookMaxes, fc.integer({ min: 1, max: 5 }), async (size, limit, lookMax, step) => {
        const all = Array.from({ length: size }, (_, i) => i)
        const isListed = (number: number) => number % step === 0
        const { walk, counts } = numbers(all, { lookMax, isListed })
        const pages = await walk(limit)
        expect(pages.flat()).toEqual(all.filter(isListed))
        for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit)
        expect(new Set(counts)).toEqual(new Set([limit + 1]))
        // No more pages than needed, and no empty page except the first.
        const least = lookMax === Infinity ? Math.max(1, Math.ceil(pages.flat().length / limit)) : pages.length
        expect(pages).toHaveLength(least)
      }),
      { seed: 1, numRuns: 200 },
    )
  })

  test('a page that found nothing in the part it scanned has a next page', async () => {
    const { list, walk } = numbers([1, 2, 3, 4, 5], { lookMax: 2, isListed: (number) => number === 5 })
    expect(await list({ limit: 10 })).toEqual({ items: [], nextCursor: expect.any(String) as string })
    expect(await walk(10)).toEqual([[], [], [5]])
  })

  test('rejects a cursor issued for another organization, list or filter, or a day ago', async () => {
    const { list, clock } = numbers([1, 2, 3])
    const { nextCursor: cursor } = await list({ limit: 1 })
    const request = { limit: 1, cursor: cursor! }
    const refusals = [
      [{ ...place, organizationId: 'org_other' }, 'it is not a cursor that this service issued'],
      [{ ...place, list: 'letters' }, 'it belongs to another list'],
      [{ ...place, filter: 'odd' }, 'it was issued for other filters'],
    ] as const
    for (const [other, message] of refusals) {
      const details = [{ path: 'cursor', message }]
      await expect(list(request, other)).rejects.toMatchObject({ code: 'cursor_invalid', details })
    }
    expect(await list(request)).toMatchObject({ items: [2] })
    await clock.advance(24 * 3600_000)
    await expect(list(request)).rejects.toMatchObject({ code: 'cursor_expired' })
  })
})

test('accepts cursors issued by earlier versions', () => {
  const now = new Date('2026-01-05T09:00:00.000Z')
  const listed = '3h3n5UrQe21zdSM7IQy0LFsib3JnX3Nob3AiLCJudW1iZXJzIiwiZXZlbiIsIjIwMjYtMDEtMDVUMDk6MDA6MDAuMDAwMDAwWiIsIjciLDE3Njc2MDM2MDAwMDBd'
  expect(listCursors.encode(place, keyOf(7), now)).toBe(listed)
  expect(listCursors.decode(listed, place, now)).toEqual(keyOf(7))
  const logCursors = makeLogCursorCodec({ secretKey })
  const log = logPlace({ organizationId: 'org_shop', endpointId: 'we_1', filter: { state: 'held', from: now } })
  const logged = 'qapT97Z1XIhlHlUD_HIWm1sib3JnX3Nob3AiLCJ3ZV8xIiwiW1wiaGVsZFwiLG51bGwsMTc2NzYwMzYwMDAwMCxudWxsLG51bGxdIiwiMjAyNi0wMS0wNVQwOTowMDowMC4wMDAwMDBaIiwiNyIsMTc2NzYwMzYwMDAwMF0'
  expect(logCursors.encode(log, keyOf(7), now)).toBe(logged)
  expect(logCursors.decode(logged, log, now)).toEqual(keyOf(7))
})
