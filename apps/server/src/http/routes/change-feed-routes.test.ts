import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, expectRefusal, parameter, storeQuery, storeReference } from '../../../testing/http/requests.ts'
import { createEndpoint } from '../../../testing/http/webhook-requests.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { sweep } from '../../workers/sweeper.ts'

const dayMs = 24 * 3600_000

interface Change {
  number: number
  toRunId: string
  fromResultHash: string
  toResultHash: string
}

describe.each(routeStoreKinds)('change feeds on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  /** A reference whose result changes with its SQL. */
  async function addReference(rows: string, columns = 'id, name') {
    const query = await storeQuery(shop, sqlOf(rows, columns))
    return storeReference(shop, query.id, { title: 'Customers', parameters: [] })
  }
  const sqlOf = (rows: string, columns = 'id, name') => `select * from (values ${rows}) as t(${columns})`
  const patch = (shortId: string, body: object) => shop.admin.api('PATCH', `/api/references/${shortId}`, body)
  const changes = async (shortId: string, search = '') => {
    const answer = await shop.admin.api('GET', `/api/references/${shortId}/changes${search}`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const lines = (body: string) =>
    body
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  const get = async (url: string) => shop.admin.api('GET', new URL(url).pathname)

  async function run(shortId: string, parameterValues = {}): Promise<string> {
    await service.clock.advance(1000)
    const answer = await shop.admin.page('POST', `/app/api/references/${shortId}/runs`, { parameterValues })
    expect(answer.statusCode, answer.body).toBe(202)
    const { id } = answer.json()
    expect((await service.ended(shop.admin.caller, id)).status).toBe('completed')
    await settled()
    return id
  }
  /** Saves other SQL and runs it. */
  async function change(shortId: string, rows: string, columns?: string): Promise<string> {
    const answer = await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { sql: sqlOf(rows, columns) })
    expect(answer.statusCode, answer.body).toBe(200)
    return run(shortId)
  }
  async function settled() {
    const waiting = sql`select from archive_jobs where state = 'due' union all select from change_feed_results`
    while ((await waiting.execute(service.services.db)).rows.length > 0) await pollPause()
  }
  async function documentOf(shortId: string, runId: string): Promise<Buffer> {
    const answer = await shop.admin.api('GET', `/api/references/${shortId}/results/${runId}`, undefined, { 'accept-encoding': 'gzip' })
    return gunzipSync(answer.rawPayload)
  }
  /** Applies the patches of changes to a document. */
  async function patched(document: Buffer, items: { patchUrl: string }[]): Promise<Buffer> {
    let result = document
    for (const { patchUrl } of items) {
      const all = lines((await get(patchUrl)).body)
      const { end } = all.pop()
      const from = result
      result = Buffer.concat(all.map(({ copy, text }) => (copy ? from.subarray(copy[0], copy[0] + copy[1]) : Buffer.from(text))))
      expect({ bytes: result.length, sha256: createHash('sha256').update(result).digest('hex') }).toEqual(end)
    }
    return result
  }

  test('numbers every different result, and no equal one', async () => {
    const { shortId } = await addReference(`(1, 'Ada'), (2, 'Bob')`)
    const first = await run(shortId)
    const turnedOn = await patch(shortId, { publishesChanges: true })
    expect(turnedOn.json()).toMatchObject({ publishesChanges: true, keyColumns: ['id'], keyChoice: 'inferred', latestChangeNumber: 0, changesProblem: null })
    expect(await changes(shortId)).toEqual({ items: [], nextAfter: 0, latestNumber: 0 })
    await run(shortId)
    await change(shortId, `(2, 'Bo'), (3, 'Cleo')`)
    await run(shortId)
    const last = await change(shortId, `(3, 'Cleo'), (2, 'Bo')`)
    const { items, nextAfter, latestNumber } = await changes(shortId)
    expect([nextAfter, latestNumber]).toEqual([2, 2])
    expect(items).toMatchObject([
      { number: 1, keyColumns: ['id'], added: 1, removed: 1, changed: 1, isReplacement: false, isKeyUnique: true },
      // Only the order differs.
      { number: 2, added: 0, removed: 0, changed: 0 },
    ])
    expect(items[1].fromResultHash).toBe(items[0].toResultHash)
    const rows = await get(items[0].rowsUrl)
    expect(rows.headers).toMatchObject({ 'content-type': 'application/jsonl; charset=utf-8', 'querypost-key-columns': '["id"]' })
    expect(lines(rows.body)).toMatchObject([
      { op: 'change', key: [2], before: [2, 'Bob'], after: [2, 'Bo'] },
      { op: 'add', key: [3], after: [3, 'Cleo'] },
      { op: 'remove', key: [1], before: [1, 'Ada'] },
    ])
    expect(await changes(shortId, '?after=1&limit=1')).toMatchObject({ items: [{ number: 2 }], nextAfter: 2 })
    const document = await documentOf(shortId, last)
    expect(await patched(await documentOf(shortId, first), items)).toEqual(document)
    expect(await patched(await documentOf(shortId, items[0].toRunId), items.slice(1))).toEqual(document)
  })

  test('replaces all rows when the columns change, and counts rows without a key', async () => {
    const { shortId } = await addReference(`(1, 'a'), (1, 'a'), (1, 'b')`)
    const first = await run(shortId)
    expect((await patch(shortId, { publishesChanges: true })).json()).toMatchObject({ keyColumns: ['id', 'name'] })
    await change(shortId, `(1, 'a'), (1, 'b'), (1, 'b')`)
    const last = await change(shortId, `(1, 'a', true)`, 'id, name, active')
    const { items } = await changes(shortId)
    expect(items).toMatchObject([
      { added: 1, removed: 1, changed: 0, isKeyUnique: false, isReplacement: false },
      { added: 1, removed: 3, changed: 0, isReplacement: true, keyColumns: ['id', 'name', 'active'] },
    ])
    expect(lines((await get(items[0].rowsUrl)).body)).toMatchObject([{ op: 'add', after: [1, 'b'] }, { op: 'remove', before: [1, 'a'] }])
    expect(lines((await get(items[1].rowsUrl)).body).map(({ op }) => op)).toEqual(['remove', 'remove', 'remove', 'add'])
    expect(await patched(await documentOf(shortId, first), items)).toEqual(await documentOf(shortId, last))
    expect((await shop.admin.page('GET', `/app/api/references/${shortId}/change-feed`)).json()).toMatchObject({
      keyColumns: ['id'],
      latestNumber: 2,
      latestChanges: [{ number: 2 }, { number: 1 }],
    })
  })

  test('waits for a result that is kept later than the one after it', async () => {
    const { shortId } = await addReference(`(1, 'a')`)
    await run(shortId)
    await patch(shortId, { publishesChanges: true })
    const { db } = service.services
    // A run that ended before the next one, and whose result is still to be kept.
    await sql`
      with feed as (
        update change_feeds set next_position = next_position + 1
        where reference_id = (select id from query_references where short_id = ${shortId})
        returning reference_id, organization_id, next_position - 1 as position),
      job as (
        insert into archive_jobs (run_id, organization_id, requested_at, next_attempt_at)
        select 'run_late', organization_id, now(), timestamptz '2100-01-01' from feed)
      insert into change_feed_results (reference_id, position, organization_id, run_id, parameters)
      select reference_id, position, organization_id, 'run_late', '[]' from feed`.execute(db)
    await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { sql: sqlOf(`(1, 'b')`) })
    const { id } = (await shop.admin.page('POST', `/app/api/references/${shortId}/runs`, {})).json()
    const isKept = async () => (await sql`select from archived_results where run_id = ${id}`.execute(db)).rows.length > 0
    while (!(await isKept())) await pollPause()
    const waiting = await sql<{ next_attempt_at: Date | null }>`
      select next_attempt_at from change_feeds
      where reference_id = (select id from query_references where short_id = ${shortId})`.execute(db)
    expect(waiting.rows).toEqual([{ next_attempt_at: null }])
    await sql`update archive_jobs set next_attempt_at = store_now() where run_id = 'run_late'`.execute(db)
    service.services.wakeups.wake('archive_jobs')
    await settled()
    expect((await changes(shortId)).items).toMatchObject([{ number: 1, toRunId: id }])
  })

  test('leaves out runs with other values than the defaults', async () => {
    const query = await storeQuery(shop, 'select {{n}} as n')
    const { shortId } = await storeReference(shop, query.id, { title: 'Numbers', parameters: [parameter('n', 'number', '1')] })
    await run(shortId)
    await patch(shortId, { publishesChanges: true })
    await run(shortId, { n: 5 })
    expect((await changes(shortId)).items).toEqual([])
    await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { parameters: [parameter('n', 'number', '5')] })
    await run(shortId)
    expect((await changes(shortId)).items).toMatchObject([{ number: 1, added: 1, removed: 1 }])
    const unset = await storeReference(shop, query.id, { title: 'No default', parameters: [parameter('n', 'number', '')] })
    expectRefusal(await patch(unset.shortId, { publishesChanges: true }), 'parameter_missing')
  })

  test('publishes an event to the endpoints that asked for it', async () => {
    const asked = await createEndpoint(shop, { eventTypes: ['reference.changed'] })
    await createEndpoint(shop, { eventTypes: ['automation.run.completed', 'automation.run.failed'] })
    const { shortId } = await addReference(`(1, '12345678901234567890'::json)`)
    await run(shortId)
    await patch(shortId, { publishesChanges: true, keyColumns: ['id'] })
    await change(shortId, `(1, '12345678901234567891'::json)`)
    const { rows } = await sql<{ body: string; endpoint_id: string }>`
      select event.body, delivery.endpoint_id from webhook_events as event join webhook_deliveries as delivery on delivery.event_id = event.id
      where event.type = 'reference.changed'`.execute(service.services.db)
    expect(rows.map(({ endpoint_id: id }) => id)).toEqual([asked.id])
    const { items } = await changes(shortId)
    expect(JSON.parse(rows[0]!.body).data).toMatchObject({ ...items[0], referenceShortId: shortId, title: 'Customers' })
    // Digits that JavaScript's numbers lose.
    expect(rows[0]!.body).toContain('"sampleRows":[{"op":"change","key":[1],"before":[1,12345678901234567890],"after":[1,12345678901234567891]')
  })

  test('continues the numbers when it is turned on again, with one change for everything since', async () => {
    const { shortId } = await addReference(`(1, 'a')`)
    await patch(shortId, { publishesChanges: true })
    const first = await run(shortId)
    await change(shortId, `(1, 'b')`)
    await patch(shortId, { publishesChanges: false })
    expectRefusal(await shop.admin.api('GET', `/api/references/${shortId}/changes`), 'changes_not_published')
    await change(shortId, `(1, 'c')`)
    const last = await change(shortId, `(1, 'd')`)
    await patch(shortId, { publishesChanges: true })
    await settled()
    const { items } = await changes(shortId)
    expect(items.map(({ number }: Change) => number)).toEqual([1, 2])
    expect(items[1]).toMatchObject({ fromResultHash: items[0].toResultHash, toRunId: last })
    expect(await patched(await documentOf(shortId, first), items)).toEqual(await documentOf(shortId, last))
  })

  test('keeps the newest result for the next comparison, and says when the rows of a change have expired', async () => {
    const { shortId } = await addReference(`(1, 'a')`)
    await run(shortId)
    await patch(shortId, { publishesChanges: true })
    await change(shortId, `(1, 'b')`)
    await shop.admin.page('PATCH', `/app/api/references/${shortId}/history-settings`, { days: 1 })
    service.clock.leap(3 * dayMs)
    await sweep({ ...service.services, db: service.services.db })
    const { items } = await changes(shortId)
    for (const url of [items[0].rowsUrl, items[0].patchUrl]) expectRefusal(await get(url), 'change_rows_expired')
    await change(shortId, `(1, 'c')`)
    expect((await changes(shortId)).items).toMatchObject([{ number: 1 }, { number: 2, changed: 1 }])
  })

  test('lists changes for 400 days, and says when those after a number are gone', async () => {
    const { shortId } = await addReference(`(1, 'a')`)
    await run(shortId)
    await patch(shortId, { publishesChanges: true })
    for (const name of ['b', 'c', 'd']) await change(shortId, `(1, '${name}')`)
    const age = (days: number, upTo: number) =>
      sql`
        update reference_changes set recorded_at = recorded_at - ${days} * interval '1 day'
        where number <= ${upTo} and reference_id = (select id from query_references where short_id = ${shortId})`.execute(service.services.db)
    await age(399, 2)
    await sweep({ ...service.services, db: service.services.db })
    expect((await changes(shortId, '?after=0')).items).toHaveLength(3)
    await age(2, 2)
    await sweep({ ...service.services, db: service.services.db })
    const expired = await shop.admin.api('GET', `/api/references/${shortId}/changes?after=0`)
    expectRefusal(expired, 'changes_expired')
    expect(expired.json().message).toBe('The changes from 1 to 2 are no longer listed. Read the newest result, and go on after number 3.')
    expectRefusal(await shop.admin.api('GET', `/api/references/${shortId}/changes/1/patch`), 'changes_expired')
    for (const search of ['', '?after=2']) expect(await changes(shortId, search)).toMatchObject({ items: [{ number: 3 }], nextAfter: 3, latestNumber: 3 })
    // The newest one stays, however old it is.
    await age(800, 3)
    await sweep({ ...service.services, db: service.services.db })
    expect((await changes(shortId)).items).toMatchObject([{ number: 3 }])
  })

  test('rejects a key that does not identify rows, unknown fields and numbers', async () => {
    const { shortId } = await addReference(`(1, 'a'), (1, 'b')`)
    await run(shortId)
    expectRefusal(await patch(shortId, { publishesChanges: true, keyColumns: ['id'] }), 'key_not_unique')
    expectRefusal(await patch(shortId, { publishesChanges: true, keyColumns: ['nothing'] }), 'invalid_request', at('/keyColumns'))
    expectRefusal(await patch(shortId, { keyColumns: ['name'] }), 'changes_not_published')
    expectRefusal(await patch(shortId, { publishesChanges: true, owner: 'Other' }), 'invalid_request', at('/owner'))
    expectRefusal(await patch('nothing000', { publishesChanges: true }), 'reference_not_found')
    expect((await patch(shortId, {})).json()).toMatchObject({ publishesChanges: false })
    expect((await patch(shortId, { publishesChanges: true, keyColumns: ['name'] })).json()).toMatchObject({ keyColumns: ['name'], keyChoice: 'chosen' })
    expectRefusal(await shop.admin.api('GET', `/api/references/${shortId}/changes?after=1`), 'change_not_found')
    expectRefusal(await shop.admin.api('GET', `/api/references/${shortId}/changes/1/rows`), 'change_not_found')
    await change(shortId, `(1, 'a'), (2, 'a')`)
    const feed = (await shop.admin.page('GET', `/app/api/references/${shortId}/change-feed`)).json()
    expect(feed).toMatchObject({ problem: 'key_not_unique', latestChanges: [{ isKeyUnique: false, added: 1, removed: 1 }] })
    await change(shortId, `(1, 'a')`, 'id, label')
    expect((await shop.admin.page('GET', `/app/api/references/${shortId}/change-feed`)).json()).toMatchObject({ problem: 'key_column_missing' })
  })
})
