import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestStore, storeKinds, type TestStore } from '../../testing/store/test-store.ts'
import { channelsOf, wakes } from './wakeups.ts'

describe.each(storeKinds)('wake-ups of statements on %s', (kind) => {
  let store: TestStore
  let woken: string[]

  beforeEach(async () => {
    store = await openTestStore(kind)
    woken = []
    for (const channel of ['runs', 'mail'] as const) store.wakeups.listen(channel, () => woken.push(channel))
  })
  afterEach(() => store.close())

  const insertQuietly = (id: string) =>
    sql`insert into organizations (id, name, created_at) values (${id}, ${id}, store_now()) on conflict do nothing`
  const insert = (id: string) => sql`${wakes('runs', 'mail')} ${insertQuietly(id)}`

  test('are sent when a single statement changed something', async () => {
    await insert('org_1').execute(store.db)
    expect([...new Set(woken)].sort()).toEqual(['mail', 'runs'])
  })

  test('are not sent when it changed nothing', async () => {
    await insertQuietly('org_1').execute(store.db)
    await insert('org_1').execute(store.db)
    expect(woken).toEqual([])
  })

  test('are sent after the commit of a transaction, and not before', async () => {
    await store.db.transaction().execute(async (tx) => {
      await insert('org_1').execute(tx)
      expect(woken).toEqual([])
    })
    expect([...new Set(woken)].sort()).toEqual(['mail', 'runs'])
  })

  test('are not sent after a rollback, nor by the next transaction', async () => {
    const undone = store.db.transaction().execute(async (tx) => {
      await insert('org_1').execute(tx)
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    await store.db.transaction().execute(async (tx) => void (await sql`select 1`.execute(tx)))
    expect(woken).toEqual([])
  })
})

test('the channels of a statement are read from its text', () => {
  expect(channelsOf('select 1')).toEqual([])
  expect(channelsOf('/* prepared */ /* wakes runs */ insert')).toEqual(['runs'])
  expect(channelsOf('/* wakes runs mail */ insert /* wakes chats */')).toEqual(['runs', 'mail', 'chats'])
})
