import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeOldNotifications } from '../store/notifications/remove-old-notifications.ts'
import { startTestService, type TestPerson, type TestService } from '../../testing/test-service.ts'
import { storeKinds } from '../../testing/store/test-store.ts'
import { sweep } from './sweeper.ts'

const dayMs = 24 * 3600_000

describe.each(storeKinds)('the sweep of notifications on %s', (kind) => {
  let service: TestService
  let admin: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    admin = (await service.addOrganization('shop')).admin
  })
  afterAll(() => service.stop())

  async function add(ageDays: number, count: number) {
    const created = new Date(service.clock.now().getTime() - ageDays * dayMs)
    const { organizationId, userId } = admin.caller
    const rows = Array.from({ length: count }, (_, number) => ({
      id: `ntf_${ageDays * 10}x${number}`,
      organization_id: organizationId,
      user_id: userId,
      kind: 'run_failed' as const,
      message: `${ageDays} days`,
      link: '/chats/a',
      created_at: created,
      read_at: number % 2 === 0 ? created : null,
    }))
    await service.services.db.insertInto('notifications').values(rows).execute()
  }
  const messages = async () => {
    const rows = await service.services.db.selectFrom('notifications').select('message').execute()
    return rows.map(({ message }) => message).toSorted()
  }

  test('deletes notifications after 90 days, read or not, in batches', async () => {
    await add(90.1, 2100)
    await add(89.9, 2)
    const options = { createdBefore: new Date(service.clock.now().getTime() - 90 * dayMs), portion: 10 }
    expect(await removeOldNotifications(service.services.db, options)).toBe(10)
    expect(await messages()).toHaveLength(2092)
    await sweep(service.services)
    expect(await messages()).toEqual(['89.9 days', '89.9 days'])
  })

  test('a batch is no larger than requested, however the statement is planned', async () => {
    await add(90.1, 100)
    const options = { createdBefore: new Date(service.clock.now().getTime() - 90 * dayMs), portion: 10 }
    const removed = await service.services.db.transaction().execute(async (tx) => {
      // The plan that the planner chooses for a small table: it looks up the rows to remove again for each row.
      for (const way of ['hashjoin', 'mergejoin', 'hashagg', 'material', 'sort']) await sql.raw(`set local enable_${way} = off`).execute(tx)
      return removeOldNotifications(tx, options)
    })
    expect(removed).toBe(10)
  })

  test('the same sweep deletes full sign-in budgets and keeps the others', async () => {
    const { db } = service.services
    await db.deleteFrom('sign_in_budgets').execute()
    const now = service.clock.now()
    const rows = [
      { key: 'account:full', full_at: now },
      { key: 'account:spent', full_at: new Date(now.getTime() + 1) },
    ]
    await db.insertInto('sign_in_budgets').values(rows).execute()
    await sweep(service.services)
    expect(await db.selectFrom('sign_in_budgets').select('key').execute()).toEqual([{ key: 'account:spent' }])
  })
})
