import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import type { Caller } from '../../model/caller.ts'
import { makeCursorCodec } from './cursor.ts'
import { type PageDeps, readPage } from './page.ts'
import type { PageRead, PageRequest, PageRows } from '../../model/page.ts'

const caller: Caller = { organizationId: 'org_shop', userId: 'user_ann', role: 'member', triggerId: 'user_ann' }

/** A list of `size` numbers, newest (highest) first, that records its reads. */
function numbers(size: number) {
  const clock = manualClock()
  const cursors = makeCursorCodec({ secretKey: Buffer.alloc(32, 1) })
  const deps: PageDeps = { clock, cursors, systemIdentifier: '1' }
  const asked: PageRead[] = []
  const read = async (page: PageRead): Promise<PageRows<number> | 'snapshot_unknown'> => {
    asked.push(page)
    const after = page.from ? Number(page.from.after.id) : size
    const rows = Array.from({ length: Math.min(page.count, after) }, (_, i) => after - 1 - i).map((item) => ({
      item,
      key: { createdAt: '2026-01-05T09:00:00.000000Z', id: String(item) },
    }))
    return { snapshot: page.from?.snapshot ?? '10:20:15', rows }
  }
  const list = (request: PageRequest) => readPage(deps, { caller, list: 'queries', request, read })
  return { list, asked, clock, deps }
}

describe('a page', () => {
  test.each([
    { size: 0, limit: 20, pages: [0] },
    { size: 1, limit: 1, pages: [1] },
    { size: 20, limit: 20, pages: [20] },
    { size: 21, limit: 20, pages: [20, 1] },
    { size: 250, limit: 100, pages: [100, 100, 50] },
  ])('of $limit out of $size items: $pages', async ({ size, limit, pages }) => {
    const { list } = numbers(size)
    const lengths: number[] = []
    const all: number[] = []
    let cursor: string | undefined
    do {
      const page = await list({ limit, ...(cursor && { cursor }) })
      lengths.push(page.items.length)
      all.push(...page.items)
      cursor = page.nextCursor
      expect('nextCursor' in page).toBe(cursor !== undefined)
    } while (cursor)
    expect(lengths).toEqual(pages)
    expect(all).toEqual(Array.from({ length: size }, (_, i) => size - 1 - i))
  })

  test('reads the snapshot of the first page on every page, within its own organization', async () => {
    const { list, asked } = numbers(5)
    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.nextCursor! })
    await list({ limit: 4, cursor: second.nextCursor! })
    expect(asked.map((page) => page.from?.snapshot)).toEqual([undefined, '10:20:15', '10:20:15'])
    expect(asked.map((page) => page.count)).toEqual([3, 3, 5])
    expect(new Set(asked.map((page) => page.organizationId))).toEqual(new Set(['org_shop']))
  })

  test('renews the cursor, but not the start of the sequence', async () => {
    const { list, clock } = numbers(50)
    const hour = 3600_000
    let page = await list({ limit: 1 })
    // Seven cursors of almost a day each: by then the sequence is seven days old, and the last cursor less than one.
    for (let day = 0; day < 7; day++) {
      await clock.advance(24 * hour - 1)
      page = await list({ limit: 1, cursor: page.nextCursor! })
    }
    await clock.advance(6)
    await list({ limit: 1, cursor: page.nextCursor! })
    await clock.advance(1)
    await expect(list({ limit: 1, cursor: page.nextCursor! })).rejects.toMatchObject({
      code: 'cursor_expired',
      message: expect.stringContaining('7 days'),
    })
  })

  test('rejects a cursor a day after it was issued, to the millisecond', async () => {
    const { list, clock } = numbers(5)
    const { nextCursor } = await list({ limit: 2 })
    await clock.advance(24 * 3600_000 - 1)
    expect((await list({ limit: 2, cursor: nextCursor! })).items).toEqual([2, 1])
    await clock.advance(1)
    await expect(list({ limit: 2, cursor: nextCursor! })).rejects.toMatchObject({
      code: 'cursor_expired',
      message: expect.stringContaining('24 hours'),
    })
  })

  test('rejects an invalid or empty cursor without reading anything', async () => {
    const { list, asked } = numbers(5)
    for (const cursor of ['', ' ', 'x']) {
      await expect(list({ limit: 2, cursor })).rejects.toMatchObject({ code: 'cursor_invalid' })
    }
    expect(asked).toEqual([])
  })

  test('rejects a cursor whose snapshot the database no longer knows', async () => {
    const { deps } = numbers(5)
    const page = readPage<number>(deps, {
      caller,
      list: 'queries',
      request: { limit: 2 },
      read: () => Promise.resolve('snapshot_unknown'),
    })
    await expect(page).rejects.toMatchObject({
      code: 'cursor_expired',
      message: expect.stringContaining('restored'),
    })
  })
})
