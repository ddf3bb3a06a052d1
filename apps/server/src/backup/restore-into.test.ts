import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { silentLog } from '../../testing/silent-log.ts'
import { makeStage } from '../../testing/lists/list-world.ts'
import { createDatabase } from '../../testing/store/create-database.ts'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import { systemClock } from '../ports/clock.ts'
import { removeTables } from '../store/copy-store.ts'
import { openPostgres, type Store } from '../store/db.ts'
import { compareRows } from './drill.ts'
import { requireEmptyDatabase, restoreInto } from './restore-into.ts'

const never = new AbortController().signal
let embedded: TestStore
let server: Store

beforeAll(async () => {
  embedded = await openTestStore('pglite')
  server = await openPostgres({ url: await createDatabase(inject('postgresUrl')), clock: systemClock, log: silentLog })
  await makeStage(embedded, 'shop')
  const { db } = embedded
  await sql`update users set created_at = '2026-01-05T09:00:00.123456Z'`.execute(db)
  await sql`insert into folders (id, organization_id, name, parent_id, version, created_by, created_at, updated_at)
    select 'folder_' || n, organizations.id, ${'a "name"\n\\ é'}, case when n > 1 then 'folder_' || n - 1 end, 1, users.id, now(), now()
    from organizations, users, generate_series(1, 3) as n`.execute(db)
})
afterAll(async () => {
  await server.close()
  await embedded.close()
})

test('copies every row with all digits and references into an empty database only, and can remove them again', async () => {
  const target = { store: server, isCleanedUp: false }
  await requireEmptyDatabase(target)
  const { before, after } = await restoreInto(target, { from: embedded.db, clock: systemClock, signal: never })
  expect(compareRows(before, after)).toEqual([])
  expect([after['folders']!.rowCount, after['users']!.rowCount > 0, after['schema_migrations']!.rowCount > 90]).toEqual([3, true, true])
  await expect(requireEmptyDatabase(target)).rejects.toThrow('The database of --into is not empty')
  await expect(sql`delete from users`.execute(server.db)).rejects.toThrow('foreign key')
  await removeTables(server.db)
  await requireEmptyDatabase(target)
})

test('cleans up after a drill, also after one that was interrupted', async () => {
  const target = { store: server, isCleanedUp: true }
  const { before, after } = await restoreInto(target, { from: embedded.db, clock: systemClock, signal: never })
  expect(compareRows(before, after)).toEqual([])
  await requireEmptyDatabase(target)
  const interrupted = restoreInto(target, { from: embedded.db, clock: systemClock, signal: AbortSignal.abort(new Error('interrupted')) })
  await expect(interrupted).rejects.toThrow('interrupted')
  await requireEmptyDatabase(target)
})
