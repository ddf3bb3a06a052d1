import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestStore, storeKinds } from './test-store.ts'

test.each(storeKinds)('%s: work left behind by a test cannot affect the next one', async (kind) => {
  const former = await openTestStore(kind)
  const work = sql`delete from users`
  await former.close()
  await former.close()
  const next = await openTestStore(kind)
  await expect(work.execute(former.db)).rejects.toThrow(/closed its store|pool after calling end|destroyed/)
  await expect(work.execute(former.backgroundDb)).rejects.toThrow(/closed its store|pool after calling end|destroyed/)
  const { rows } = await sql`select 1 from users`.execute(next.db)
  expect(rows).toEqual([])
  await next.close()
})

test.each(storeKinds)('%s: work running when a test ends is finished before the next begins', async (kind) => {
  const former = await openTestStore(kind)
  const begun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const writing = former.db.transaction().execute(async (tx) => {
    await sql`create table left_behind (n integer)`.execute(tx)
    await sql`insert into left_behind values (1)`.execute(tx)
    begun.resolve()
    await mayEnd.promise
  })
  await begun.promise
  const closing = former.close()
  mayEnd.resolve()
  await Promise.all([writing, closing])
  const next = await openTestStore(kind)
  const { rows } = await sql`select * from left_behind`.execute(next.db)
  expect(rows).toEqual([])
  await sql`drop table left_behind`.execute(next.db)
  await next.close()
})
