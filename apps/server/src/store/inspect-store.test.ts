import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { readMigrations } from './migration-files.ts'
import { openTestStore, storeKinds, type TestStore } from '../../testing/store/test-store.ts'
import { inspectStore, type StoreFacts } from './inspect-store.ts'

describe.each(storeKinds)('a store on %s', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openTestStore(kind)
  })
  afterAll(() => store.close())

  /** The facts after a change, which is then rolled back. */
  async function after(change: ReturnType<typeof sql>): Promise<StoreFacts> {
    let facts: StoreFacts | undefined
    const undone = new Error('undone')
    await store.db
      .transaction()
      .execute(async (tx) => {
        await change.execute(tx)
        facts = await inspectStore({ db: tx, clock: systemClock })
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
    return facts!
  }

  test('reports one that is up to date', async () => {
    const { version, clockAheadMs, migrations } = await inspectStore({ db: store.db, clock: systemClock })
    expect(version).toMatch(/^1\d\.\d+$/)
    expect(Math.abs(clockAheadMs)).toBeLessThan(60_000)
    const appliedCount = (await readMigrations()).length
    expect(migrations).toEqual({ appliedCount, pending: [], unknown: [], changed: [], tooNew: null })
  })

  test('reports a clock that is an hour ahead', async () => {
    const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() - 3_600_000) }
    const { clockAheadMs } = await inspectStore({ db: store.db, clock })
    expect(Math.round(clockAheadMs / 60_000)).toBe(60)
  })

  test('reports an older version', async () => {
    const last = (await readMigrations()).at(-1)!.name
    const { migrations } = await after(sql`delete from schema_migrations where name = ${last}`)
    expect(migrations.pending).toEqual([last])
  })

  test('reports a newer version', async () => {
    const insert = (contracts: string | null) => sql`
      insert into schema_migrations (name, hash, applied_at, contracts)
      values ('9999-later.sql', 'x', '2026-01-01', ${contracts})`
    expect((await after(insert(null))).migrations).toMatchObject({ unknown: ['9999-later.sql'], tooNew: null })
    expect((await after(insert('9998-unknown.sql'))).migrations.tooNew).toContain('the schema of a newer version')
  })

  test('reports a changed migration, and no migrations at all', async () => {
    const first = (await readMigrations())[0]!.name
    const changed = await after(sql`update schema_migrations set hash = 'other' where name = ${first}`)
    expect(changed.migrations.changed).toEqual([first])
    const empty = await after(sql`drop table schema_migrations`)
    expect(empty.migrations).toMatchObject({ appliedCount: 0, unknown: [], tooNew: null })
    expect(empty.migrations.pending).toContain(first)
  })
})
