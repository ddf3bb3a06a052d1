import { AsyncResource } from 'node:async_hooks'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestStore, storeKinds, type TestStore } from '../../testing/store/test-store.ts'
import { batchedLookup } from './batched-lookup.ts'
import { isInJoinedTransaction, openJoinedTransaction } from './joined-transaction.ts'
import { wakes } from './wakeups.ts'

describe.each(storeKinds)('a joined transaction on %s', (kind) => {
  let store: TestStore
  beforeEach(async () => void (store = await openTestStore(kind)))
  afterEach(() => store.close())

  const insert = (id: string) =>
    sql`${wakes('runs')} insert into organizations (id, name, created_at) values (${id}, ${id}, store_now())`.execute(store.db)
  /** As another request would. */
  const outside = AsyncResource.bind((act: () => Promise<unknown>) => act())
  const ids = async () => (await store.db.selectFrom('organizations').select('id').orderBy('id').execute()).map(({ id }) => id)

  test('commits single statements, transactions and lookups of the work together', async () => {
    const woken: string[] = []
    store.wakeups.listen('runs', () => woken.push('runs'))
    const lookup = batchedLookup({
      read: async (keys: string[]) => new Map((await ids()).filter((id) => keys.includes(id)).map((id) => [id, id])),
    })
    const joined = openJoinedTransaction(store.db)
    await joined.enter(async () => {
      expect(isInJoinedTransaction()).toBe(true)
      await insert('org_1')
      await store.db.transaction().execute(async (tx) => {
        await tx.insertInto('organizations').values({ id: 'org_2', name: 'Two', created_at: new Date() }).execute()
      })
      expect(await lookup('org_2')).toBe('org_2')
      expect(await Promise.all([ids(), ids()])).toEqual([['org_1', 'org_2'], ['org_1', 'org_2']])
    })
    expect(woken).toEqual([])
    await joined.commit()
    expect(await ids()).toEqual(['org_1', 'org_2'])
    expect(new Set(woken)).toEqual(new Set(['runs']))
  })

  test('leaves nothing behind after a rollback', async () => {
    const joined = openJoinedTransaction(store.db)
    await joined.enter(() => insert('org_1'))
    await joined.rollback()
    expect(await ids()).toEqual([])
  })

  test('goes on after a statement of the work has failed', async () => {
    const joined = openJoinedTransaction(store.db)
    await joined.enter(async () => {
      await insert('org_1')
      const failing = store.db.transaction().execute(async (tx) => {
        await sql`insert into organizations (id, name, created_at) values ('org_1', 'again', store_now())`.execute(tx)
      })
      await expect(failing).rejects.toThrow(/duplicate key/)
      await expect(insert('org_1')).rejects.toThrow(/duplicate key/)
      await insert('org_2')
    })
    await joined.commit()
    expect(await ids()).toEqual(['org_1', 'org_2'])
  })

  test('is not joined by work that goes on after its end', async () => {
    const joined = openJoinedTransaction(store.db)
    const ended = Promise.withResolvers<void>()
    const late = joined.enter(async () => {
      await ended.promise
      await insert('org_late')
    })
    await joined.rollback()
    ended.resolve()
    await late
    expect(await ids()).toEqual(['org_late'])
  })

  test('holds no connection until the work writes, and then sees what others have done before', async () => {
    const joined = openJoinedTransaction(store.db)
    await joined.enter(async () => {
      expect(await ids()).toEqual([])
      await outside(() => insert('org_other'))
      expect(await ids()).toEqual(['org_other'])
      await insert('org_1')
      expect(await ids()).toEqual(['org_1', 'org_other'])
    })
    await joined.rollback()
    expect(await ids()).toEqual(['org_other'])
  })

  test('without a write, neither begins nor ends anything', async () => {
    let begun = 0
    const joined = openJoinedTransaction(store.db, { onBegin: async () => void begun++ })
    expect(await joined.enter(ids)).toEqual([])
    await joined.commit()
    expect(begun).toBe(0)
  })

  test('writes nothing any more once its beginning has failed', async () => {
    const joined = openJoinedTransaction(store.db, {
      async onBegin() {
        throw new Error('too late')
      },
    })
    await joined.enter(async () => {
      await expect(insert('org_1')).rejects.toThrow('too late')
      await expect(store.db.transaction().execute(async () => insert('org_2'))).rejects.toThrow('too late')
      await expect(ids()).rejects.toThrow('too late')
    })
    await joined.commit()
    expect(await ids()).toEqual([])
  })
})
