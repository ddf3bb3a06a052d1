import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ifMatch, referenceTile, textTile } from '../../../../testing/http/board-requests.ts'
import { at, expectRefusal, parameter, startTime, storeQuery, storeReference, unknownShortId } from '../../../../testing/http/requests.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'

describe.each(routeStoreKinds)('boards in the web app on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let other: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    other = await service.addOrganization('other')
  })
  afterAll(() => service.stop())

  const post = (body: object, person = shop.admin) => person.page('POST', '/app/api/boards', body)
  const create = async (body: object = {}) => {
    const answer = await post({ title: 'Revenue', ...body })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }
  const get = async (shortId: string) => (await shop.admin.page('GET', `/app/api/boards/${shortId}`)).json()
  const change = (shortId: string, version: number | string | undefined, body: object, person = shop.admin) =>
    person.page('PATCH', `/app/api/boards/${shortId}`, body, ifMatch(version))
  const remove = (shortId: string, version: number) =>
    shop.admin.page('DELETE', `/app/api/boards/${shortId}`, undefined, ifMatch(version))
  const newReference = async (organization = shop, content: object = {}) =>
    storeReference(organization, (await storeQuery(organization, 'select 1 as one')).id, { title: 'One', ...content })

  test('a board is created with everything that it shows', async () => {
    const reference = await newReference(shop, { parameters: [parameter('least', 'number', '2')] })
    const tiles = [
      referenceTile('a', reference.shortId, 0, { parameterMapping: { least: 'from' }, title: 'Mine', shows: 'table' }),
      textTile('b', 4),
    ]
    const answer = await post({
      title: ' Revenue ',
      description: 'All of it',
      parameters: [{ name: 'from', type: 'number' }],
      tabs: [{ id: 'first', title: 'First' }],
      tiles,
    })
    expect(answer.headers.etag).toBe('"1"')
    const board = answer.json()
    expect(board).toEqual({
      id: expect.stringMatching(/^board_\w{22}$/),
      shortId: expect.stringMatching(/^\w{10}$/),
      permalink: `https://querypost.test/b/${board.shortId}`,
      title: 'Revenue',
      description: 'All of it',
      folderId: null,
      parameters: [{ name: 'from', displayName: 'from', type: 'number', defaultValue: '', description: '' }],
      tabs: [{ id: 'first', title: 'First' }],
      tiles,
      version: 1,
      createdAt: startTime,
      updatedAt: startTime,
      createdBy: { id: shop.admin.caller.userId, name: 'admin' },
      references: [
        {
          shortId: reference.shortId,
          title: 'One',
          description: null,
          parameters: [parameter('least', 'number', '2')],
          queryId: reference.currentQuery.id,
          analyticalDatabaseConfigId: shop.databaseId,
        },
      ],
    })
    expect(await get(board.shortId)).toEqual(board)
  })

  test('a new tile gets an id', async () => {
    const { id: _, ...tile } = textTile('a', 0)
    expect((await create({ tiles: [tile] })).tiles).toEqual([{ ...tile, id: expect.stringMatching(/^tile_\w{22}$/) }])
  })

  test('rejects a board that is not valid, and queries of others', async () => {
    const foreign = await newReference(other)
    const places = [textTile('a', 0), textTile('b', 0)]
    expectRefusal(await post({ title: 'x', tiles: places }), 'invalid_request', at('/tiles/1', 'overlaps tile 0'))
    const tiles = [referenceTile('a', foreign.shortId, 0)]
    expectRefusal(await post({ title: 'x', tiles }), 'invalid_request', at('/tiles/0/referenceShortId'))
    expectRefusal(await post({ title: 'x', folderId: 'folder_x' }), 'folder_not_found')
    expectRefusal(await post({ title: '' }), 'invalid_request', at('/title'))
    expectRefusal(await post({ title: 'x', owner: 'me' }), 'invalid_request', at('/owner'))
  })

  test('a change needs the version that it is based on', async () => {
    const { shortId } = await create()
    expectRefusal(await change(shortId, undefined, { title: 'B' }), 'invalid_request', at('if-match'))
    for (const wrong of ['1', 'W/"1"', '"x"', '*']) {
      expectRefusal(await change(shortId, wrong, { title: 'B' }), 'invalid_request', at('if-match'))
    }
    const changed = await change(shortId, 1, { title: 'B' })
    expect(changed.json()).toMatchObject({ title: 'B', version: 2 })
    expect(changed.headers.etag).toBe('"2"')
    expectRefusal(await change(shortId, 1, { title: 'C' }), 'version_conflict', { message: /it now has version 2/ })
    expectRefusal(await remove(shortId, 1), 'version_conflict')
    expect(await get(shortId)).toMatchObject({ title: 'B' })
  })

  test('an edit that changes nothing saves no version', async () => {
    const { shortId } = await create({ tiles: [textTile('a', 0)] })
    expect((await change(shortId, 1, { title: 'Revenue', tiles: [textTile('a', 0)] })).json()).toMatchObject({ version: 1 })
  })

  test('of two changes of the same version, one is rejected', async () => {
    const { shortId } = await create()
    const answers = await Promise.all([change(shortId, 1, { title: 'B' }), change(shortId, 1, { title: 'C' })])
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 412]))
  })

  test('a board with a deleted query can be read, changed and copied, but no other tile can show that query', async () => {
    const reference = await newReference()
    const tile = referenceTile('a', reference.shortId, 0)
    const { shortId } = await create({ tiles: [tile] })
    const untouched = await create()
    await shop.admin.page('DELETE', `/app/api/references/${reference.shortId}?evenIfUsed=true`)
    expect(await get(shortId)).toMatchObject({ tiles: [tile], references: [] })
    expect((await change(shortId, 1, { tiles: [tile, textTile('b', 4)] })).json()).toMatchObject({ version: 2 })
    const copy = await shop.admin.page('POST', `/app/api/boards/${shortId}/duplicate`)
    expect(copy.statusCode, copy.body).toBe(201)
    expectRefusal(await change(untouched.shortId, 1, { tiles: [tile] }), 'invalid_request', at('/tiles/0/referenceShortId'))
  })

  test('a copy has a permalink of its own', async () => {
    const original = await create({ description: 'x', tiles: [textTile('a', 0)] })
    const copy = (await shop.admin.page('POST', `/app/api/boards/${original.shortId}/duplicate`)).json()
    expect(copy).toEqual({
      ...original,
      id: copy.id,
      shortId: copy.shortId,
      permalink: `https://querypost.test/b/${copy.shortId}`,
      title: 'Revenue (copy)',
    })
    expect(copy.shortId).not.toBe(original.shortId)
  })

  test('every saved state is a version, and an earlier one can be restored as a new one', async () => {
    const { shortId } = await create({ tiles: [textTile('a', 0)] })
    const member = await shop.addPerson('member', 'versions@shop.test')
    await service.clock.advance(1000)
    await change(shortId, 1, { title: 'Costs', tiles: [] }, member)
    const restore = (number: number, headers = {}) =>
      shop.admin.page('POST', `/app/api/boards/${shortId}/versions/${number}/restore`, undefined, headers)
    expectRefusal(await restore(1, ifMatch(1)), 'version_conflict')
    expect((await restore(1)).json()).toMatchObject({ title: 'Revenue', tiles: [textTile('a', 0)], version: 3 })
    expectRefusal(await restore(9), 'board_not_found', { message: /no version 9/ })

    const listed = (await shop.admin.page('GET', `/app/api/boards/${shortId}/versions`)).json()
    const by = (person: typeof member) => ({ id: person.caller.userId, name: person.email.split('@')[0] })
    const version = { title: 'Revenue', tileCount: 1, restoredNumber: null, isDeletion: false, isCurrent: false }
    expect(listed).toEqual({
      items: [
        { ...version, number: 3, restoredNumber: 1, changedBy: by(shop.admin), changedAt: expect.any(String), isCurrent: true },
        { ...version, number: 2, title: 'Costs', tileCount: 0, changedBy: by(member), changedAt: expect.any(String) },
        { ...version, number: 1, changedBy: by(shop.admin), changedAt: expect.any(String) },
      ],
    })
    const page = (query: string) => shop.admin.page('GET', `/app/api/boards/${shortId}/versions?limit=2${query}`)
    const first = (await page('')).json()
    expect((await page(`&cursor=${first.nextCursor}`)).json()).toEqual({ items: [listed.items[2]] })
    const second = (await shop.admin.page('GET', `/app/api/boards/${shortId}/versions/2`)).json()
    expect(second).toEqual({ ...listed.items[1], description: null, parameters: [], tabs: [], tiles: [] })
  })

  test('a deleted board is gone, and its deletion is recorded', async () => {
    const { shortId } = await create()
    await service.clock.advance(1000)
    expect((await remove(shortId, 1)).statusCode).toBe(204)
    expectRefusal(await shop.admin.page('GET', `/app/api/boards/${shortId}`), 'board_not_found')
    expectRefusal(await remove(shortId, 2), 'board_not_found')
    expectRefusal(await change(unknownShortId, 1, { title: 'x' }), 'board_not_found')
    const log = (await shop.admin.page('GET', `/app/api/audit-log?search=${shortId}`)).json()
    expect(log.items.map(({ action }: { action: string }) => action)).toEqual(['board.deleted', 'board.created'])
  })

  test('a deleted board can be restored for 30 days, and its versions stay', async () => {
    const { items: folders } = (await shop.admin.page('GET', '/app/api/folders')).json()
    expect(folders).toEqual([])
    const { id: folderId } = (await shop.admin.page('POST', '/app/api/folders', { name: 'Gone' })).json()
    const { shortId } = await create({ folderId })
    await remove(shortId, 1)
    await shop.admin.page('DELETE', `/app/api/folders/${folderId}`)
    const restore = () => shop.admin.page('POST', `/app/api/boards/${shortId}/versions/1/restore`)
    expect((await restore()).json()).toMatchObject({ title: 'Revenue', version: 3, folderId: null })
    const { items } = (await shop.admin.page('GET', `/app/api/boards/${shortId}/versions`)).json()
    expect(items.map(({ isDeletion }: { isDeletion: boolean }) => isDeletion)).toEqual([false, true, false])
    await remove(shortId, 3)
    const longAgo = new Date(service.clock.now().getTime() - 30 * 24 * 3600_000)
    await service.services.db.updateTable('boards').set({ deleted_at: longAgo }).where('short_id', '=', shortId).execute()
    expectRefusal(await restore(), 'board_not_found')
  })

  describe('images', () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex')
    const upload = (bytes: Buffer, headers = { 'content-type': 'application/octet-stream' }) =>
      shop.admin.page('POST', '/app/api/board-images', bytes, headers)

    test('can be uploaded and shown by a tile', async () => {
      const answer = await upload(png)
      expect(answer.statusCode, answer.body).toBe(201)
      const { id, ...rest } = answer.json()
      expect(rest).toEqual({ contentType: 'image/png', sizeBytes: 8 })
      const image = await shop.admin.page('GET', `/app/api/board-images/${id}`)
      expect(image.headers['content-type']).toBe('image/png')
      expect(image.rawPayload).toEqual(png)
      await create({ tiles: [{ kind: 'image', imageId: id, text: 'Logo', x: 0, y: 0, width: 2, height: 2 }] })
      expectRefusal(await other.admin.page('GET', `/app/api/board-images/${id}`), 'board_image_not_found')
      const foreign = { title: 'x', tiles: [{ kind: 'image', imageId: id, x: 0, y: 0, width: 2, height: 2 }] }
      expectRefusal(await post(foreign, other.admin), 'invalid_request', at('/tiles/0/imageId'))
    })

    test('are recognized by their content, and limited in size', async () => {
      expectRefusal(await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), { 'content-type': 'image/png' }), 'invalid_request')
      expectRefusal(await upload(Buffer.concat([png, Buffer.alloc(1024 * 1024)])), 'body_too_large')
      for (const [type, bytes] of [
        ['image/jpeg', Buffer.from('ffd8ffe0', 'hex')],
        ['image/gif', Buffer.from('GIF89a')],
        ['image/webp', Buffer.from('RIFF\0\0\0\0WEBP')],
      ] as const) {
        expect((await upload(bytes)).json()).toMatchObject({ contentType: type })
      }
    })
  })

  describe('folders', () => {
    const folder = async (body: object) => {
      const answer = await shop.admin.page('POST', '/app/api/folders', body)
      expect(answer.statusCode, answer.body).toBe(201)
      return answer.json()
    }
    const edit = (id: string, body: object) => shop.admin.page('PATCH', `/app/api/folders/${id}`, body)
    const removeFolder = (id: string) => shop.admin.page('DELETE', `/app/api/folders/${id}`)

    test('are nested, renamed and moved', async () => {
      const finance = await folder({ name: ' Finance ' })
      expect(finance).toEqual({
        id: expect.stringMatching(/^folder_\w{22}$/),
        name: 'Finance',
        parentId: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      })
      const year = await folder({ name: '2026', parentId: finance.id })
      expectRefusal(await edit(finance.id, { parentId: year.id }), 'invalid_request', at('/parentId'))
      expectRefusal(await edit(year.id, { parentId: 'folder_x' }), 'invalid_request', at('/parentId'))
      expect((await edit(year.id, { parentId: null, name: 'Year' })).json()).toMatchObject({ name: 'Year', parentId: null })
      expectRefusal(await edit(year.id, { name: 'FINANCE' }), 'folder_name_taken')
      expectRefusal(await shop.admin.page('POST', '/app/api/folders', { name: 'finance' }), 'folder_name_taken')
      expectRefusal(await edit('folder_x', { name: 'x' }), 'folder_not_found')
      const { items } = (await shop.admin.page('GET', '/app/api/folders')).json()
      expect(items.map(({ name }: { name: string }) => name)).toEqual(['Finance', 'Year'])
      expect((await other.admin.page('GET', '/app/api/folders')).json()).toEqual({ items: [] })
    })

    test('are deleted only when they are empty', async () => {
      const outer = await folder({ name: 'Outer' })
      const inner = await folder({ name: 'Inner', parentId: outer.id })
      const board = await create({ folderId: inner.id })
      expect(board.folderId).toBe(inner.id)
      expectRefusal(await removeFolder(outer.id), 'folder_not_empty')
      expectRefusal(await removeFolder(inner.id), 'folder_not_empty')
      expect((await change(board.shortId, 1, { folderId: null })).json()).toMatchObject({ folderId: null, version: 2 })
      expect((await removeFolder(inner.id)).statusCode).toBe(204)
      expect((await removeFolder(outer.id)).statusCode).toBe(204)
      expectRefusal(await removeFolder(outer.id), 'folder_not_found')
      expectRefusal(await change(board.shortId, 2, { folderId: inner.id }), 'folder_not_found')
    })

    test('with a query in it, is kept', async () => {
      const { id } = await folder({ name: 'Queries' })
      const { shortId } = await newReference()
      await service.services.db.updateTable('query_references').set({ folder_id: id }).where('short_id', '=', shortId).execute()
      expectRefusal(await removeFolder(id), 'folder_not_empty')
    })

    test('filter the list of boards, page by page', async () => {
      const folderId = (await folder({ name: 'Listed' })).id
      const inFolder = [await create({ title: 'First', folderId }), await create({ title: 'Second', folderId })]
      const outside = await create({ title: 'Outside' })
      await shop.admin.page('PUT', `/app/api/boards/${inFolder[0].shortId}/tags`, { tags: ['weekly'] })
      const list = async (query: string, person = shop.admin) => (await person.page('GET', `/app/api/boards?${query}`)).json()
      const first = await list(`folder=${folderId}&limit=1`)
      const second = await list(`folder=${folderId}&limit=1&cursor=${first.nextCursor}`)
      const found = [...first.items, ...second.items]
      expect(found.map(({ title, tags }: { title: string; tags: string[] }) => [title, tags])).toEqual(
        expect.arrayContaining([['First', ['weekly']], ['Second', []]]),
      )
      expect(found).toHaveLength(2)
      expect(second.nextCursor).toBeUndefined()
      const elsewhere = (await list('folder=none&limit=100')).items.map(({ id }: { id: string }) => id)
      expect(elsewhere).toContain(outside.id)
      expect(elsewhere).not.toContain(inFolder[0].id)
      expect((await list(`folder=${folderId}`, other.admin)).items).toEqual([])
      expectRefusal(await shop.admin.page('GET', `/app/api/boards?folder=none&cursor=${first.nextCursor}`), 'cursor_invalid', { details: expect.anything() })
    })
  })
})
