import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { at, endOf, expectRefusal, isTimestamp, startTime, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'

interface Thread {
  id: string
  tileId: string | null
  point: object | null
  resolvedAt: string | null
  resolvedBy: { name: string } | null
  commentCount: number
  comments: { id: string; text: string; editedAt: string | null; mentions: object[] }[]
}

describe.each(routeStoreKinds)('comments on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let admin: TestPerson
  let ann: TestPerson
  let bob: TestPerson
  let stranger: TestPerson
  let runId: string
  let shortId: string
  let query: string
  let board: { shortId: string; tileId: string; url: string }

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
    stranger = (await service.addOrganization('bank')).admin
    admin = shop.admin
    ann = await shop.addPerson('member', 'ann@shop.test')
    bob = await shop.addPerson('member', 'bob@shop.test')
    const stored = await storeQuery(shop, 'select 1 as one')
    shortId = (await storeReference(shop, stored.id, { title: 'Revenue' })).shortId
    query = `/app/api/references/${shortId}`
    runId = (await endOf(service, shop, admin.api('POST', `/api/queries/${stored.id}/refresh`))).id
    const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
    const made = (await admin.page('POST', '/app/api/boards', { title: 'Overview', tiles: [tile] })).json()
    board = { shortId: made.shortId, tileId: made.tiles[0].id, url: `/app/api/boards/${made.shortId}` }
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    const { db } = service.services
    await db.deleteFrom('comment_threads').execute()
    await db.deleteFrom('notifications').execute()
  })

  const mention = (person: TestPerson) => `@[${person.caller.userId}]`
  const personOf = (person: TestPerson) => ({ id: person.caller.userId, name: expect.any(String) })
  /** Sends a request of Ann's, later than everything before. */
  const page: TestPerson['page'] = (...request) => {
    service.clock.leap(1000)
    return ann.page(...request)
  }
  async function start(person: TestPerson, body: object, item = query): Promise<Thread> {
    service.clock.leap(1000)
    const answer = await person.page('POST', `${item}/comment-threads`, body)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }
  async function reply(person: TestPerson, { id }: { id: string }, text: string): Promise<Thread> {
    service.clock.leap(1000)
    const answer = await person.page('POST', `/app/api/comment-threads/${id}/comments`, { text })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }
  const list = async (search = '', item = query) =>
    (await ann.page('GET', `${item}/comment-threads${search}`)).json<{ items: Thread[]; nextCursor?: string }>()
  const counts = async (item = query) => (await ann.page('GET', `${item}/comment-counts`)).json()
  /** What a person was notified of, oldest first. */
  const news = async (person: TestPerson) => {
    const { items } = (await person.page('GET', '/app/api/notifications')).json<{ items: { kind: string; message: string; link: string }[] }>()
    return items.map(({ kind: of, message, link }) => ({ kind: of, message, link })).toReversed()
  }

  describe('threads', () => {
    test('belong to a query or a board, newest first', async () => {
      const first = await start(ann, { text: '  First **idea**\n' })
      const second = await start(bob, { text: 'Second' })
      await start(ann, { text: 'Elsewhere' }, board.url)
      expect(first).toEqual({
        id: expect.stringMatching(/^thread_\w{22}$/),
        tileId: null,
        point: null,
        createdAt: isTimestamp,
        resolvedAt: null,
        resolvedBy: null,
        commentCount: 1,
        comments: [
          {
            id: expect.stringMatching(/^comment_\w{22}$/),
            text: 'First **idea**',
            author: personOf(ann),
            createdAt: isTimestamp,
            editedAt: null,
            mentions: [],
          },
        ],
      })
      expect((await list()).items).toEqual([second, first])
      expect((await ann.page('GET', `/app/api/comment-threads/${first.id}`)).json()).toEqual(first)
    })

    test('are listed in pages', async () => {
      const threads = []
      for (const text of ['One', 'Two', 'Three']) threads.unshift(await start(ann, { text }))
      const first = await list('?limit=2')
      expect(first.items).toEqual(threads.slice(0, 2))
      const rest = await list(`?limit=2&cursor=${first.nextCursor}`)
      expect(rest).toEqual({ items: threads.slice(2) })
      const elsewhere = await ann.page('GET', `${board.url}/comment-threads?cursor=${first.nextCursor}`)
      expectRefusal(elsewhere, 'cursor_invalid', at('cursor'))
    })

    test('have only the first and the newest comments in lists', async () => {
      const thread = await start(ann, { text: '1' })
      for (const text of ['2', '3', '4', '5', '6']) await reply(bob, thread, text)
      const [listed] = (await list()).items
      expect(listed!.commentCount).toBe(6)
      expect(listed!.comments.map(({ text }) => text)).toEqual(['1', '4', '5', '6'])
      const whole = (await ann.page('GET', `/app/api/comment-threads/${thread.id}`)).json<Thread>()
      expect(whole.comments.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5', '6'])
    })

    test('are resolved and reopened by anyone, and reopened by a reply', async () => {
      const thread = await start(ann, { text: 'Look' })
      const url = `/app/api/comment-threads/${thread.id}`
      const resolved = (await bob.page('PATCH', url, { isResolved: true })).json<Thread>()
      expect(resolved).toMatchObject({ resolvedAt: isTimestamp, resolvedBy: personOf(bob) })
      service.clock.leap(1000)
      expect((await ann.page('PATCH', url, { isResolved: true })).json()).toEqual(resolved)
      expect((await list()).items).toEqual([])
      expect((await list('?show=resolved')).items).toEqual([resolved])
      expect(await counts()).toEqual({ openCount: 0, resolvedCount: 1, tiles: [] })
      expect((await ann.page('PATCH', url, { isResolved: false })).json()).toMatchObject({ resolvedAt: null, resolvedBy: null })
      await bob.page('PATCH', url, { isResolved: true })
      expect(await reply(ann, thread, 'But')).toMatchObject({ resolvedAt: null, resolvedBy: null })
      expect(await counts()).toEqual({ openCount: 1, resolvedCount: 0, tiles: [] })
    })

    test('can be about a tile of a board, also after the tile is gone', async () => {
      const thread = await start(ann, { text: 'This chart', tileId: board.tileId }, board.url)
      expect(thread.tileId).toBe(board.tileId)
      await start(ann, { text: 'All of it' }, board.url)
      expect((await list(`?tileId=${board.tileId}`, board.url)).items).toEqual([thread])
      expect(await counts(board.url)).toEqual({ openCount: 2, resolvedCount: 0, tiles: [{ tileId: board.tileId, openCount: 1 }] })
      expect(await counts()).toEqual({ openCount: 0, resolvedCount: 0, tiles: [] })
      for (const [item, tileId] of [[board.url, 'tile_other'], [query, board.tileId]] as const) {
        expectRefusal(await ann.page('POST', `${item}/comment-threads`, { text: 'x', tileId }), 'invalid_request', at('/tileId'))
      }
      await admin.page('PATCH', board.url, { tiles: [] }, { 'if-match': '"1"' })
      expect((await list('', board.url)).items.map(({ tileId }) => tileId)).toEqual([null, board.tileId])
    })

    test('keep the data point as it was shown, with the time of its run', async () => {
      const point = { runId, keys: [{ column: 'Month', value: 'Mar 2026' }], column: 'Revenue', value: '1,234 €' }
      const thread = await start(ann, { text: 'Why?', point })
      const { completedAt } = thread.point as { completedAt: string }
      expect(thread.point).toEqual({ ...point, completedAt })
      expect(completedAt >= startTime).toBe(true)
      expect((await list()).items[0]!.point).toEqual(thread.point)
    })

    test('refuse a data point of a run that is unknown or has no result', async () => {
      const pending = await storeQuery(shop, 'select no_such_column')
      const failed = await endOf(service, shop, admin.api('POST', `/api/queries/${pending.id}/refresh`))
      const ask = (point: object) => ann.page('POST', `${query}/comment-threads`, { text: 'x', point })
      const point = { runId, keys: [], column: 'a', value: '1' }
      expectRefusal(await ask({ ...point, runId: failed.id }), 'invalid_request', at('/point/runId'))
      expectRefusal(await ask({ ...point, runId: 'run_unknown' }), 'run_not_found')
      expectRefusal(await ask({ ...point, value: 'x'.repeat(501) }), 'invalid_request', at('/point/value'))
      expectRefusal(await ask({ ...point, completedAt: startTime }), 'invalid_request', at('/point/completedAt'))
      const keys = Array.from({ length: 6 }, () => ({ column: 'a', value: '1' }))
      expectRefusal(await ask({ ...point, keys }), 'invalid_request', at('/point/keys'))
    })

    test('of a deleted query are not found until it is restored', async () => {
      const thread = await start(ann, { text: 'Look' })
      await admin.page('DELETE', query)
      expectRefusal(await ann.page('GET', `${query}/comment-threads`), 'reference_not_found')
      expectRefusal(await ann.page('GET', `/app/api/comment-threads/${thread.id}`), 'comment_thread_not_found')
      const url = `/app/api/comment-threads/${thread.id}/comments`
      expectRefusal(await ann.page('POST', url, { text: 'x' }), 'comment_thread_not_found')
      expectRefusal(await ann.page('DELETE', `/app/api/comments/${thread.comments[0]!.id}`), 'comment_not_found')
      await admin.page('POST', `${query}/restore`)
      expect((await list()).items).toEqual([thread])
    })

    test('are limited per organization, and comments per thread', async () => {
      const { db } = service.services
      const thread = await start(ann, { text: 'Look' })
      const { organizationId, userId } = ann.caller
      const created_at = service.clock.now()
      const more = Array.from({ length: 99 }, (_, number) => ({
        id: `comment_${number}`,
        thread_id: thread.id,
        organization_id: organizationId,
        text: 'x',
        created_by: userId,
        created_at,
      }))
      await db.insertInto('comments').values(more).execute()
      const answer = await ann.page('POST', `/app/api/comment-threads/${thread.id}/comments`, { text: 'x' })
      expectRefusal(answer, 'invalid_request', { message: /^The thread has 100 comments/ })

      const others = Array.from({ length: 9_999 }, (_, number) => ({
        id: `thread_${number}`,
        organization_id: organizationId,
        kind: 'board' as const,
        item_id: 'board_x',
        tile_id: null,
        point: null,
        created_at,
      }))
      while (others.length > 0) await db.insertInto('comment_threads').values(others.splice(0, 2000)).execute()
      const refused = await ann.page('POST', `${query}/comment-threads`, { text: 'x' })
      expectRefusal(refused, 'invalid_request', { message: /^Your organization has 10,000 threads/ })
    })
  })

  describe('a comment', () => {
    test.each([
      ['nothing', '', /must not be empty/],
      ['only spaces', ' \n ', /must not be empty/],
      ['more than 10,000 characters', 'x'.repeat(10_001), /at most 10,000 characters/],
    ])('refuses %s', async (_, text, message) => {
      const thread = await start(ann, { text: 'x'.repeat(10_000) })
      const details = at('/text', expect.stringMatching(message))
      expectRefusal(await ann.page('POST', `${query}/comment-threads`, { text }), 'invalid_request', details)
      expectRefusal(await ann.page('POST', `/app/api/comment-threads/${thread.id}/comments`, { text }), 'invalid_request', details)
      expectRefusal(await ann.page('PATCH', `/app/api/comments/${thread.comments[0]!.id}`, { text }), 'invalid_request', details)
    })

    test('is edited by its author only, and says so', async () => {
      const thread = await start(ann, { text: 'Tpyo' })
      const url = `/app/api/comments/${thread.comments[0]!.id}`
      expect((await page('PATCH', url, { text: 'Tpyo' })).json()).toEqual(thread)
      const edited = (await page('PATCH', url, { text: 'Typo' })).json<Thread>()
      expect(edited.comments).toMatchObject([{ text: 'Typo', editedAt: isTimestamp }])
      for (const person of [bob, admin]) {
        expectRefusal(await person.page('PATCH', url, { text: 'Mine' }), 'forbidden', { message: /^Only its author/ })
      }
    })

    test('is deleted by its author or an admin, and the last one with its thread', async () => {
      const thread = await start(ann, { text: 'One' })
      const [first, second] = (await reply(bob, thread, 'Two')).comments
      const url = (comment: { id: string } | undefined) => `/app/api/comments/${comment!.id}`
      expectRefusal(await bob.page('DELETE', url(first)), 'forbidden', { message: /author or an admin/ })
      expect((await page('DELETE', url(first))).statusCode).toBe(204)
      expect((await list()).items).toMatchObject([{ commentCount: 1, comments: [{ text: 'Two' }] }])
      service.clock.leap(1000)
      expect((await admin.page('DELETE', url(second))).statusCode).toBe(204)
      expect((await list()).items).toEqual([])
      expectRefusal(await admin.page('DELETE', url(second)), 'comment_not_found')
      const records = (await admin.page('GET', '/app/api/audit-log?action=comment')).json<{ items: object[] }>()
      expect(records.items).toMatchObject([
        { actor: { user: { id: admin.caller.userId } }, details: { reference: shortId, author: expect.any(String) } },
        { actor: { user: { id: ann.caller.userId } }, subject: { type: 'comment', id: first!.id, name: 'Revenue' } },
      ])
    })
  })

  describe('notifications', () => {
    test('go to people who are mentioned, once per comment, and not to the author', async () => {
      const thread = await start(ann, { text: `${mention(bob)}, **see** ${mention(bob)} ${mention(ann)}` })
      const mentions = [{ ...personOf(ann), isMember: true }, { ...personOf(bob), isMember: true }]
      expect(thread.comments[0]!.mentions).toEqual(expect.arrayContaining(mentions))
      const expected = {
        kind: 'comment_mention',
        message: expect.stringMatching(/ mentioned you in a comment on “Revenue”: @.+, see @.+/),
        link: `/q/${shortId}#${thread.id}`,
      }
      expect(await news(bob)).toEqual([expected])
      expect(await news(ann)).toEqual([])
      const url = `/app/api/comments/${thread.comments[0]!.id}`
      await ann.page('PATCH', url, { text: 'Nobody' })
      await ann.page('PATCH', url, { text: `${mention(bob)} and ${mention(admin)}` })
      expect(await news(bob)).toEqual([expected])
      expect(await news(admin)).toMatchObject([{ kind: 'comment_mention' }])
    })

    test('tell everyone in a thread of a reply', async () => {
      const thread = await start(ann, { text: `What do you think, ${mention(bob)}?` }, board.url)
      await reply(admin, thread, `Ask ${mention(ann)}`)
      expect(await news(ann)).toMatchObject([{ kind: 'comment_mention', link: `/b/${board.shortId}#${thread.id}` }])
      expect((await news(bob)).map(({ kind: of }) => of)).toEqual(['comment_mention', 'comment_reply'])
      expect(await news(admin)).toEqual([])
      await ann.page('PATCH', `/app/api/comment-threads/${thread.id}`, { isResolved: true })
      expect(await news(admin)).toEqual([])
    })

    test('never reach another organization, nor people who have left', async () => {
      const refuse = async (text: string) =>
        expectRefusal(await ann.page('POST', `${query}/comment-threads`, { text }), 'invalid_request', at('/text'))
      await refuse(mention(stranger))
      await refuse('@[user_unknown]')
      await refuse(Array.from({ length: 21 }, (_, number) => `@[user_${number}]`).join(' '))
      expect((await list()).items).toEqual([])

      const eve = await shop.addPerson('member', 'eve@shop.test')
      const thread = await start(ann, { text: `Hello ${mention(eve)}` })
      await admin.page('DELETE', `/app/api/members/${eve.caller.userId}`)
      await refuse(mention(eve))
      const told = await reply(bob, thread, 'Too late')
      expect(told.comments[0]!.mentions).toEqual([{ ...personOf(eve), isMember: false }])
      const left = await service.services.db.selectFrom('notifications').select('kind').where('user_id', '=', eve.caller.userId).execute()
      expect(left).toEqual([{ kind: 'comment_mention' }])
      const url = `/app/api/comments/${thread.comments[0]!.id}`
      expect((await ann.page('PATCH', url, { text: `Bye ${mention(eve)}` })).statusCode).toBe(200)
    })

    test('are sent by e-mail unless the person has turned e-mails of comments off', async () => {
      const states = async () => {
        const rows = await service.services.db.selectFrom('notifications').select('email_state').orderBy('created_at').execute()
        return rows.map(({ email_state }) => email_state)
      }
      const set = (body: object) => bob.page('PATCH', '/app/api/notifications/settings', body)
      await start(ann, { text: mention(bob) })
      expect((await set({ commentEmailEnabled: false })).json()).toMatchObject({ emailEnabled: true, commentEmailEnabled: false })
      await start(ann, { text: mention(bob) })
      expect(await states()).toEqual(['due', null])
      await set({ commentEmailEnabled: true, emailEnabled: false })
      await start(ann, { text: mention(bob) })
      expect(await states()).toEqual(['due', null, null])
      await set({ emailEnabled: true })
    })
  })
})
