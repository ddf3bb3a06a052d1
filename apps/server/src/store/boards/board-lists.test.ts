import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { testMembers } from '../../../testing/people/members.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { createBoard, deleteBoard, editBoard, listBoards } from '../../domain/boards/boards.ts'
import { createFolder, deleteFolder, editFolder, listFoldersPage } from '../../domain/folders/folders.ts'
import { makeCursorCodec } from '../../domain/pagination/cursor.ts'
import type { Board } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { Folder } from '../../model/folder.ts'

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
