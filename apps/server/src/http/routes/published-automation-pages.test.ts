import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAutomation, type ShownAutomation, storeReferenceTo } from '../../../testing/http/automation-requests.ts'
import { at, expectRefusal } from '../../../testing/http/requests.ts'
import { storeKinds } from '../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { pruneAutomationHistory } from '../../store/automations/prune-automation-history.ts'

interface Page {
  items: ShownAutomation[]
  nextCursor?: string
}

describe.each(storeKinds)('pages of automations on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
  })
  afterAll(() => service.stop())

  let organizations = 0
  const start = async () => {
    organizations += 1
    shop = await service.addOrganization(`shop${organizations}`)
  }
  const page = async (query: string) => (await shop.admin.api('GET', `/api/automations?${query}`)).json<Page>()
  const succeed = async (...request: Parameters<typeof shop.admin.page>) => {
    const answer = await shop.admin.page(...request)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
  }
  const add = async (name: string, content: { references: string[] } & Record<string, unknown>) => {
    await service.clock.advance(1)
    return createAutomation(shop, { name, enabled: false, ...content })
  }
  const change = (id: string, fields: object) => succeed('PATCH', `/app/api/automations/${id}`, fields)
  const startRun = async (id: string) => {
    // The latest run is the one that was requested last.
    await service.clock.advance(1)
    return (await shop.admin.api('POST', `/api/automations/${id}/runs`)).json<{ id: string; chatShortId: string }>()
  }
  /** As a worker does. */
  const claim = (id: string) =>
    sql`update agent_runs set status = 'running', started_at = requested_at, lease_number = lease_number + 1, lease_owner = 'worker',
      lease_expires_at = 'infinity' where id = ${id}`.execute(service.services.db)
  const release = (id: string) =>
    sql`update agent_runs set status = 'pending', started_at = null, lease_owner = null, lease_expires_at = null
      where id = ${id}`.execute(service.services.db)
  const fail = (id: string) =>
    sql`update agent_runs set status = 'failed', ended_at = requested_at, failure_reason = 'stopped', stop_requested_by = user_id, lease_owner = null,
      lease_expires_at = null where id = ${id}`.execute(service.services.db)

  /** Reads the first item, makes the changes, and reads the others two at a time. */
  async function readDuring(changes: () => Promise<void>): Promise<ShownAutomation[]> {
    const first = await page('limit=1')
    await changes()
    const items = [...first.items]
    for (let cursor = first.nextCursor; cursor !== undefined; ) {
      const next = await page(`limit=2&cursor=${cursor}`)
      items.push(...next.items)
      cursor = next.nextCursor
    }
    return items
  }

  test('all pages show the list and every field as of the first page', async () => {
    await start()
    const [used, other, deletedLater, restoredLater] = await Promise.all(
      ['used', 'other', 'deleted later', 'restored later'].map((title) => storeReferenceTo(shop, 'select 1', title)),
    ) as [string, string, string, string]
    const deleted = await add('deleted', { references: [used] })
    const running = await add('running', { references: [used] })
    const interrupted = await add('interrupted', { references: [used] })
    const idle = await add('idle', { references: [used], schedule: { cron: '0 7 * * *', timeZone: 'UTC' }, enabled: true })
    await add('looking', { references: [deletedLater, restoredLater, used] })
    const edited = await add('edited', { references: [used, other] })
    const newest = await add('newest', { references: [used] })
    const runs = { deleted: await startRun(deleted.id), running: await startRun(running.id), interrupted: await startRun(interrupted.id) }
    for (const run of Object.values(runs)) await claim(run.id)
    await succeed('POST', '/app/api/items/delete?evenIfUsed=true', { items: [{ kind: 'reference', shortId: restoredLater }] })
    const before = (await page('limit=100')).items
    expect(before.map(({ name, references, latestRun }) => [name, references, latestRun?.status])).toEqual([
      ['newest', [used], undefined],
      ['edited', [used, other], undefined],
      ['looking', [deletedLater, used], undefined],
      ['idle', [used], undefined],
      ['interrupted', [used], 'running'],
      ['running', [used], 'running'],
      ['deleted', [used], 'running'],
    ])

    const seen = await readDuring(async () => {
      await change(newest.id, { name: 'changed' })
      await change(edited.id, { name: 'changed', references: [other], instructions: 'Else.' })
      // The second change finds the same time, so nothing but the references differs.
      await change(edited.id, { references: [used] })
      await succeed('POST', '/app/api/items/delete?evenIfUsed=true', { items: [{ kind: 'reference', shortId: deletedLater }] })
      await succeed('POST', '/app/api/items/restore', { items: [{ kind: 'reference', shortId: restoredLater }] })
      await change(idle.id, { enabled: false })
      await startRun(idle.id)
      await release(runs.interrupted.id)
      await claim(runs.interrupted.id)
      await fail(runs.running.id)
      await startRun(running.id)
      await fail(runs.deleted.id)
      await succeed('DELETE', `/app/api/automations/${deleted.id}`)
      await succeed('DELETE', `/app/api/chats/${runs.deleted.chatShortId}`)
      await add('added', { references: [used] })
    })
    expect(seen).toEqual(before)
    const after = (await page('limit=100')).items
    expect(after.map(({ name, references, latestRun }) => [name, references, latestRun?.status])).toEqual([
      ['added', [used], undefined],
      ['changed', [used], undefined],
      ['changed', [used], undefined],
      ['looking', [restoredLater, used], undefined],
      ['idle', [used], 'pending'],
      ['interrupted', [used], 'running'],
      ['running', [used], 'pending'],
    ])
  })

  test('a former state that names a hidden query is not shown', async () => {
    await start()
    const member = await shop.addPerson('member', `member@shop${organizations}.test`)
    const { id: folderId } = (await shop.admin.page('POST', '/app/api/folders', { name: 'Secret' })).json<{ id: string }>()
    await succeed('PUT', `/app/api/access/folders/${folderId}`, { levels: [{ groupId: null, level: 'none' }] })
    const [hidden, seen] = [await storeReferenceTo(shop, 'select 1'), await storeReferenceTo(shop, 'select 1')]
    await succeed('PATCH', `/app/api/references/${hidden}`, { folderId })
    const changed = await add('secret', { references: [hidden] })
    for (const name of ['older', 'newer']) await add(name, { references: [seen] })
    const read = async (query: string) => (await member.api('GET', `/api/automations?limit=1${query}`)).json<Page>()
    const { items, nextCursor } = await read('')
    expect(items.map(({ name }) => name)).toEqual(['newer'])
    await change(changed.id, { name: 'public', references: [seen] })
    const second = await read(`&cursor=${nextCursor}`)
    const third = await read(`&cursor=${second.nextCursor}`)
    expect([...second.items, ...third.items].map(({ name, references }) => [name, references])).toEqual([
      ['older', [seen]],
      ['public', [seen]],
    ])
  })

  test('former states are removed once no page can show them', async () => {
    await start()
    const { db } = service.services
    const reference = await storeReferenceTo(shop, 'select 1')
    for (const name of ['older', 'newer']) await change((await add(name, { references: [reference] })).id, { name: `${name} now` })
    const prune = (replacedBefore: Date) => pruneAutomationHistory(db, { replacedBefore, batchSize: 1000 })
    const { nextCursor } = await page('limit=1')
    expect(await prune(new Date(service.clock.now().getTime() - 3600_000))).toBe(0)
    expect(await prune(new Date(service.clock.now().getTime() + 1))).toBeGreaterThanOrEqual(2)
    expect(await db.selectFrom('automation_history').selectAll().execute()).toEqual([])
    expect((await page(`cursor=${nextCursor}`)).items).toMatchObject([{ name: 'older now' }])
  })

  test('rejects a cursor issued for another list or organization', async () => {
    await start()
    const reference = await storeReferenceTo(shop, 'select 1')
    for (const name of ['older', 'newer']) await add(name, { references: [reference] })
    const ofPage = (await shop.admin.page('GET', '/app/api/automations?limit=1')).json<Page>().nextCursor
    expectRefusal(await shop.admin.api('GET', `/api/automations?cursor=${ofPage}`), 'cursor_invalid', at('cursor'))
    const { nextCursor } = await page('limit=1')
    await start()
    expectRefusal(await shop.admin.api('GET', `/api/automations?cursor=${nextCursor}`), 'cursor_invalid', at('cursor'))
  })
})

test('a page does not show a change that was committed after the first page, whatever its time says', async () => {
  const service = await startTestService('postgres', { worker: false })
  try {
    const shop = await service.addOrganization('shop')
    const reference = await storeReferenceTo(shop, 'select 1')
    for (const name of ['older', 'newer']) {
      await createAutomation(shop, { name, references: [reference] })
      await service.clock.advance(1)
    }
    const get = async (query: string) => (await shop.admin.api('GET', `/api/automations?limit=1${query}`)).json<Page>()
    const nextCursor = await service.services.db.transaction().execute(async (tx) => {
      await sql`update automations set name = 'changed', condition_state = '{"value": 1}' where name = 'older'`.execute(tx)
      return (await get('')).nextCursor
    })
    expect((await get(`&cursor=${nextCursor}`)).items).toMatchObject([{ name: 'older', conditionState: null }])
  } finally {
    await service.stop()
  }
})
