import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { testMembers } from '../../../testing/people/members.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { createBoard, deleteBoard, editBoard, listBoards } from '../../domain/boards/boards.ts'
import { trashSweeps } from '../../domain/items/sweep-trash.ts'
import { createFolder, deleteFolder, editFolder, listFoldersPage } from '../../domain/folders/folders.ts'
import { makeCursorCodec } from '../../domain/pagination/cursor.ts'
import { insertThread } from '../comments/threads-table.ts'
import type { Board } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { Folder } from '../../model/folder.ts'

const dayMs = 24 * 3600_000

describe.each(storeKinds)('lists on %s', (kind) => {
  const clock = manualClock()
  const random = seededRandom('lists of boards')
  let store: TestStore
  let people: ReturnType<typeof testMembers>

  beforeAll(async () => {
    store = await openTestStore(kind, { clock })
    people = testMembers({ db: store.db, clock, random })
  })
  afterAll(() => store.close())

  const deps = () => ({
    db: store.db,
    clock,
    random,
    cursors: makeCursorCodec({ secretKey: Buffer.alloc(32, 7) }),
    systemIdentifier: '1',
  })
  const newCaller = async () => people.member(await people.organization())

  async function newBoards(caller: Caller, titles: string[]): Promise<Board[]> {
    const boards: Board[] = []
    for (const title of titles) {
      await clock.advance(1000)
      boards.push(await createBoard(deps(), caller, { title }))
    }
    return boards
  }
  const titlesOf = (boards: Board[]) => boards.map(({ title }) => title)

  test('all pages of boards show the moment of the first', async () => {
    const caller = await newCaller()
    const [a, b, c, d] = await newBoards(caller, ['a', 'b', 'c', 'd'])
    await editBoard(deps(), caller, { shortId: b!.shortId, version: 1 }, { title: 'b2' })
    const first = await listBoards(deps(), caller, { limit: 1 })
    expect(titlesOf(first.items)).toEqual(['d'])

    await editBoard(deps(), caller, { shortId: b!.shortId, version: 2 }, { title: 'b3', description: 'x' })
    await editBoard(deps(), caller, { shortId: b!.shortId, version: 3 }, { title: 'b4' })
    await deleteBoard(deps(), caller, { shortId: c!.shortId, version: 1 })
    await deleteBoard(deps(), caller, { shortId: a!.shortId, version: 1 })
    await newBoards(caller, ['e'])

    const rest = await listBoards(deps(), caller, { limit: 10, cursor: first.nextCursor! })
    expect(titlesOf(rest.items)).toEqual(['c', 'b2', 'a'])
    expect(rest.items[1]).toEqual({ ...b, title: 'b2', version: 2, updatedAt: expect.any(Date) })
    expect(rest).not.toHaveProperty('nextCursor')
    expect(titlesOf((await listBoards(deps(), caller, { limit: 10 })).items)).toEqual(['e', 'd', 'b4'])
    expect(d!.version).toBe(1)
  })

  test('a board deleted before the first page is on none', async () => {
    const caller = await newCaller()
    const [a] = await newBoards(caller, ['a', 'b', 'c'])
    await deleteBoard(deps(), caller, { shortId: a!.shortId, version: 1 })
    const first = await listBoards(deps(), caller, { limit: 1 })
    expect(titlesOf((await listBoards(deps(), caller, { limit: 10, cursor: first.nextCursor! })).items)).toEqual(['b'])
  })

  test('all pages of folders show the moment of the first', async () => {
    const caller = await newCaller()
    const folders: Folder[] = []
    for (const name of ['a', 'b', 'c']) {
      await clock.advance(1000)
      folders.push(await createFolder(deps(), caller, { name }))
    }
    const [a, b] = folders
    const first = await listFoldersPage(deps(), caller, { limit: 1 })
    await editFolder(deps(), caller, b!.id, { name: 'b2', parentId: a!.id })
    await deleteFolder(deps(), caller, b!.id)
    await editFolder(deps(), caller, a!.id, { name: 'a2' })
    const rest = await listFoldersPage(deps(), caller, { limit: 10, cursor: first.nextCursor! })
    expect(rest.items).toEqual([b, a])
    const names = (await listFoldersPage(deps(), caller, { limit: 10 })).items.map(({ name }) => name)
    expect(names).toEqual(['c', 'a2'])
  })

  test('deleted boards and folders are removed after 30 days', async () => {
    const caller = await newCaller()
    const outer = await createFolder(deps(), caller, { name: 'outer' })
    const inner = await createFolder(deps(), caller, { name: 'inner', parentId: outer.id })
    const { shortId, id } = await createBoard(deps(), caller, { title: 'old', folderId: inner.id })
    const [kept] = await newBoards(caller, ['kept'])
    for (const itemId of [id, kept!.id]) {
      const item = { organizationId: caller.organizationId, kind: 'board', itemId } as const
      const thread = { ...item, id: `thread_of_${itemId}`, tileId: null, point: null, now: clock.now() }
      await store.db.transaction().execute((tx) => insertThread(tx, thread))
    }
    await deleteBoard(deps(), caller, { shortId, version: 1 })
    await deleteFolder(deps(), caller, inner.id)
    await deleteFolder(deps(), caller, outer.id)
    const sweep = async () => {
      for (const { removeBatch } of trashSweeps({ db: store.db, clock })) await removeBatch()
      const folders = await store.db.selectFrom('folders').select('name').where('id', 'in', [outer.id, inner.id]).execute()
      const boards = await store.db.selectFrom('boards').select('title').where('id', 'in', [id, kept!.id]).execute()
      return [...boards.map(({ title }) => title), ...folders.map(({ name }) => name)].toSorted()
    }
    clock.leap(29 * dayMs)
    expect(await sweep()).toEqual(['inner', 'kept', 'old', 'outer'])
    clock.leap(2 * dayMs)
    // A folder goes after those inside it.
    expect(await sweep()).toEqual(['kept', 'outer'])
    expect(await sweep()).toEqual(['kept'])
    expect(await store.db.selectFrom('comment_threads').select('item_id').execute()).toEqual([{ item_id: kept!.id }])
    expect(await store.db.selectFrom('board_versions').select('number').where('board_id', '=', id).execute()).toEqual([])
  })

  test('shows boards of one organization only', async () => {
    const [mine, theirs] = [await newCaller(), await newCaller()]
    await newBoards(mine, ['a', 'b'])
    await newBoards(theirs, ['x', 'y'])
    const first = await listBoards(deps(), mine, { limit: 1 })
    expect(titlesOf((await listBoards(deps(), mine, { limit: 10, cursor: first.nextCursor! })).items)).toEqual(['a'])
    const foreign = listBoards(deps(), theirs, { limit: 10, cursor: first.nextCursor! })
    await expect(foreign).rejects.toMatchObject({ code: 'cursor_invalid' })
  })
})
