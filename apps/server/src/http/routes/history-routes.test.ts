import { readdir, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, expectRefusal, parameter, storeQuery, storeReference, unknownShortId } from '../../../testing/http/requests.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../testing/test-service.ts'
import { pinnedMax } from '../../model/history.ts'
import { sweep } from '../../workers/sweeper.ts'

const dayMs = 24 * 3600_000

describe.each(routeStoreKinds)('kept results on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization
  let member: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
    member = await shop.addPerson('member', 'history@shop.test')
  })
  afterAll(() => service.stop())

  /** A reference whose result depends on a parameter: one row in a hundred differs. */
  async function addReference(title = 'Numbers') {
    const text = "select i, case when i % 100 = {{n}} then 'changed' else 'a text that stays the same' end as state from range(2000) as t(i)"
    const query = await storeQuery(shop, text)
    return storeReference(shop, query.id, { title, parameters: [parameter('n', 'number', '0')] })
  }
  async function run(shortId: string, n: number): Promise<string> {
    const answer = await shop.admin.page('POST', `/app/api/references/${shortId}/runs`, { parameterValues: { n: String(n) } })
    expect(answer.statusCode, answer.body).toBe(202)
    const { id } = answer.json()
    expect((await service.ended(shop.admin.caller, id)).status).toBe('completed')
    await archived()
    return id
  }
  const rowsOf = async <Row>(statement: ReturnType<typeof sql<Row>>) => (await statement.execute(service.services.db)).rows
  async function archived() {
    while ((await rowsOf(sql`select from archive_jobs where state = 'due'`)).length > 0) await pollPause()
  }
  const list = async (shortId: string, search = '') =>
    (await shop.admin.api('GET', `/api/references/${shortId}/results${search}`)).json()
  const read = (shortId: string, runId: string, search = '', headers = {}) =>
    shop.admin.api('GET', `/api/references/${shortId}/results/${runId}${search}`, undefined, headers)
  const sweepOnce = () => sweep({ ...service.services, db: service.services.db })
  const objects = () => rowsOf(sql<{ chain_length: number; removed_at: Date | null }>`select chain_length, removed_at from archive_objects order by created_at, id`)

  test('keeps the result of every run of a saved query, exactly, after the cached one has expired', async () => {
    const { shortId, currentQuery } = await addReference()
    const runIds: string[] = []
    const cached: Buffer[] = []
    for (const n of [1, 2, 1]) {
      runIds.push(await run(shortId, n))
      cached.push((await shop.admin.api('GET', `/api/queries/${currentQuery.id}/result`, undefined, { 'accept-encoding': 'gzip' })).rawPayload)
      await service.clock.advance(1000)
    }
    const { items } = await list(shortId)
    expect(items.map(({ runId }: { runId: string }) => runId)).toEqual(runIds.toReversed())
    expect(items[0]).toEqual({
      runId: runIds[2],
      at: expect.any(String),
      rowCount: 2000,
      resultHash: expect.stringMatching(/^[\w-]{43}$/),
      sizeBytes: cached[2]!.length,
      isPinned: false,
    })
    expect(items[2].resultHash).toBe(items[0].resultHash)
    // The second is a difference from the first, and the third is the first.
    expect((await objects()).map(({ chain_length }) => chain_length)).toEqual([0, 1])
    service.clock.leap(dayMs + 3600_000)
    await sweepOnce()
    expectRefusal(await shop.admin.api('GET', `/api/queries/${currentQuery.id}/result`), 'result_expired')
    for (const [index, runId] of runIds.entries()) {
      const answer = await read(shortId, runId, '', { 'accept-encoding': 'gzip' })
      expect(answer.rawPayload.equals(cached[index]!)).toBe(true)
      expect(gunzipSync(answer.rawPayload).equals(gunzipSync(cached[index]!))).toBe(true)
    }
  })

  test('sends a kept result in every format, with the ETag of the cached one', async () => {
    const { shortId } = await addReference('Numbers: all')
    await run(shortId, 3)
    await service.clock.advance(1000)
    const runId = await run(shortId, 4)
    const json = await read(shortId, runId)
    expect(json.json()).toMatchObject({ rowCount: 2000, fields: [{ name: 'i' }, { name: 'state' }] })
    const { items } = await list(shortId)
    expect(json.headers.etag).toBe(`"${items[0].resultHash}"`)
    expect((await read(shortId, runId, '', { 'if-none-match': json.headers.etag })).statusCode).toBe(304)
    const csv = await read(shortId, runId, '?format=csv')
    expect(csv.body.split('\r\n').slice(0, 2)).toEqual(['i,state', '0,a text that stays the same'])
    expect(csv.headers['content-disposition']).toContain('Numbers all.csv')
    for (const format of ['jsonl', 'xlsx', 'parquet', 'arrow']) {
      const answer = await read(shortId, runId, `?format=${format}`)
      expect([answer.statusCode, answer.rawPayload.length > 1000]).toEqual([200, true])
    }
    expect((await shop.admin.page('GET', `/app/api/references/${shortId}/results/${runId}?format=csv`)).body).toBe(csv.body)
  })

  test('keeps a result for every reference to the query, and none of unsaved queries', async () => {
    const { currentQuery, shortId } = await addReference()
    const other = await storeReference(shop, currentQuery.id, { title: 'Other', parameters: [parameter('n', 'number', '0')] })
    const runId = await run(shortId, 5)
    for (const each of [shortId, other.shortId]) expect((await list(each)).items).toMatchObject([{ runId }])
    const unsaved = await storeQuery(shop, 'select 1')
    const answer = await shop.admin.api('POST', `/api/queries/${unsaved.id}/refresh`)
    await service.ended(shop.admin.caller, answer.json().id)
    expect(await rowsOf(sql`select from archive_jobs where run_id = ${answer.json().id}`)).toEqual([])
  })

  test('shows all pages as of the first, although results are pinned, added and removed in between', async () => {
    const { shortId } = await addReference()
    const runIds: string[] = []
    for (const n of [1, 2, 3]) {
      runIds.unshift(await run(shortId, n))
      await service.clock.advance(1000)
    }
    const first = await list(shortId, '?limit=1')
    expect(first.items).toMatchObject([{ runId: runIds[0] }])
    await shop.admin.page('PUT', `/app/api/references/${shortId}/results/${runIds[1]}/pin`)
    await sql`update archived_results set removed_at = now(), removed_xid = pg_current_xact_id() where run_id = ${runIds[2]!}`.execute(service.services.db)
    await run(shortId, 4)
    const second = await list(shortId, `?limit=1&cursor=${first.nextCursor}`)
    expect(second.items).toMatchObject([{ runId: runIds[1], isPinned: false }])
    const third = await list(shortId, `?limit=1&cursor=${second.nextCursor}`)
    expect(third).toEqual({ items: [expect.objectContaining({ runId: runIds[2] })] })
    await shop.admin.page('DELETE', `/app/api/references/${shortId}/results/${runIds[1]}/pin`)
    expectRefusal(await read(shortId, runIds[2]!), 'result_not_kept')
    const other = await addReference()
    expectRefusal(await shop.admin.api('GET', `/api/references/${other.shortId}/results?cursor=${first.nextCursor}`), 'cursor_invalid', at('cursor'))
  })

  test('explains why two results differ, by SQL, parameters and data', async () => {
    const text = (country: string) => `select '${country}' as country, {{n}}::integer as orders, {{n}} * 2.5 as revenue`
    const query = await storeQuery(shop, text('DE'))
    const { shortId } = await storeReference(shop, query.id, { parameters: [parameter('n', 'number', '0')] })
    const from = await run(shortId, 1)
    await service.clock.advance(1000)
    const again = await run(shortId, 1)
    await service.clock.advance(1000)
    const to = await run(shortId, 3)
    const why = (search: string) => shop.admin.api('GET', `/api/references/${shortId}/why?${search}`)
    const explained = (await why(`from=${from}&to=${to}`)).json()
    expect(explained).toMatchObject({
      from: { runId: from },
      to: { runId: to },
      sql: null,
      parameters: [{ name: 'n', before: 1, after: 3 }],
      numberColumns: ['orders', 'revenue'],
      measures: [
        { column: 'orders', before: '1', after: '3', difference: '2', parts: [{ causes: ['data'], difference: '0' }, { causes: ['parameters', 'data'], difference: '2' }] },
        { column: 'revenue', before: '2.5', after: '7.5', difference: '5' },
      ],
      steps: [{ causes: ['data'], to: { runId: again } }, { causes: ['parameters', 'data'], from: { runId: again }, keyColumns: ['country'] }],
    })
    // The first values again: the data has not changed, so all of it is the parameter.
    await service.clock.advance(1000)
    await run(shortId, 1)
    const proven = (await shop.admin.page('GET', `/app/api/references/${shortId}/why?from=${from}&to=${to}&measure=revenue&denominator=orders`)).json()
    expect(proven.measures).toEqual([
      { column: 'revenue', denominator: 'orders', before: '2.5', after: '2.5', difference: '0', parts: [{ causes: ['data'], difference: '0' }, { causes: ['parameters'], difference: '0' }] },
    ])
    expect(proven.steps[1].measures[0].effects).toEqual({ numerator: '3.333333333333', denominator: '-3.333333333333' })
    expect((await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { sql: text('FR') })).statusCode).toBe(200)
    const changed = await run(shortId, 3)
    expect((await why(`from=${to}&to=${changed}&measure=orders`)).json()).toMatchObject({
      sql: { before: text('DE'), after: text('FR') },
      parameters: [],
      measures: [{ difference: '0', parts: [{ causes: ['sql', 'data'], difference: '0' }] }],
      steps: [{ added: 1, removed: 1, measures: [{ rows: { added: '3', removed: '-3', changed: '0' } }] }],
    })
    expectRefusal(await why(`from=${from}&to=${to}&measure=country`), 'measure_invalid', at('measure'))
    expectRefusal(await why(`from=${from}&to=${to}&measure=nothing`), 'measure_invalid', at('measure'))
    expectRefusal(await why(`from=${from}&to=${to}&keyColumns=nothing`), 'invalid_request', at('keyColumns'))
    expectRefusal(await why(`from=${from}&to=run_none`), 'result_not_kept')
    const otherReference = await addReference()
    expectRefusal(await shop.admin.api('GET', `/api/references/${otherReference.shortId}/why?from=${from}&to=${to}`), 'result_not_kept')
  })

  test('stops explaining when the client disconnects', async () => {
    const { shortId } = await addReference()
    const from = await run(shortId, 1)
    await service.clock.advance(1000)
    const to = await run(shortId, 2)
    const { rowComparer, dataDirectory } = service.services
    const compare = rowComparer.compare.bind(rowComparer)
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()]
    /** Rows without end: only the signal stops the comparison. */
    async function* lines() {
      for (;;) {
        begun.resolve()
        yield ''
        await pollPause()
      }
    }
    rowComparer.compare = async (given) => {
      const endless = compare({ ...given, rows: { ...given.rows, to: { ...given.rows.to, lines } } })
      endless.then(ended.resolve, ended.resolve)
      return endless
    }
    const asking = new AbortController()
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const answer = fetch(`${address}/api/references/${shortId}/why?from=${from}&to=${to}`, {
      headers: { authorization: `Bearer ${shop.admin.apiKey}` },
      signal: asking.signal,
    })
    await begun.promise
    asking.abort()
    await expect(answer).rejects.toThrow('aborted')
    expect(await ended.promise).toMatchObject({ name: 'AbortError' })
    rowComparer.compare = compare
    expect((await readdir(`${dataDirectory}/temporary`)).filter((name) => name.startsWith('compare-'))).toEqual([])
  })

  test('shows what a query and a board showed at a time, with the SQL, the values and the chart of then', async () => {
    const query = await storeQuery(shop, 'select {{n}} as n')
    const visualization = { type: 'table' }
    const { shortId } = await storeReference(shop, query.id, { title: 'Then', parameters: [parameter('n', 'number', '0')] })
    expect((await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { visualization })).statusCode).toBe(200)
    const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
    const board = (await shop.admin.page('POST', '/app/api/boards', { title: 'Past', tiles: [tile] })).json()
    const past = (time: string) => shop.admin.page('GET', `/app/api/references/${shortId}/past?at=${time}`)
    expect((await past('2026-03-01T08:00Z')).json()).toEqual({ shown: null, oldestAt: null })
    const runId = await run(shortId, 1)
    const [{ at: ranAt }] = (await list(shortId)).items
    await service.clock.advance(60_000)
    const edited = await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { sql: 'select {{n}} + 1 as n', title: 'Now', visualization: null })
    expect(edited.statusCode).toBe(200)
    const { shortId: otherId } = await addReference()
    const moved = [{ ...tile, referenceShortId: otherId }]
    const changedBoard = await shop.admin.page('PATCH', `/app/api/boards/${board.shortId}`, { title: 'Present', tiles: moved }, { 'if-match': `"${board.version}"` })
    expect(changedBoard.statusCode, changedBoard.body).toBe(200)
    await run(shortId, 2)
    const shown = {
      result: { runId, rowCount: 1 },
      sql: 'select {{n}} as n',
      parameterValues: { n: 1 },
      title: 'Then',
      visualization: { type: 'table' },
    }
    expect((await past(ranAt)).json()).toMatchObject({ shown, oldestAt: ranAt })
    expect((await past('2000-01-01')).json()).toEqual({ shown: null, oldestAt: ranAt })
    const ofBoard = await shop.admin.page('GET', `/app/api/boards/${board.shortId}/past-results?at=${ranAt}`)
    const ofThen = { title: 'Past', isFromThen: true, tabs: [], tiles: [tile] }
    expect(ofBoard.json()).toMatchObject({ ...ofThen, items: [{ referenceShortId: shortId, shown, oldestAt: ranAt }] })
    const pastBoard = async (time: string) => (await shop.admin.page('GET', `/app/api/boards/${board.shortId}/past-results?at=${time}`)).json()
    expect(await pastBoard('2000-01-01')).toMatchObject({ ...ofThen, isFromThen: false, items: [{ shown: null }] })
    expect(await pastBoard(service.clock.now().toISOString())).toMatchObject({ title: 'Present', isFromThen: true, tiles: moved, items: [{ referenceShortId: otherId }] })
    expectRefusal(await past('yesterday'), 'invalid_request', at('at'))
    expectRefusal(await shop.admin.page('GET', `/app/api/boards/${board.shortId}/past-results?at=x`), 'invalid_request', at('at'))
    expectRefusal(await bank.admin.page('GET', `/app/api/references/${shortId}/past?at=2026-03-01`), 'reference_not_found')
  })

  test('compares two results, with the key that was inferred or chosen', async () => {
    const { shortId } = await addReference()
    const from = await run(shortId, 1)
    await service.clock.advance(1000)
    const to = await run(shortId, 2)
    const url = `/api/references/${shortId}/compare?from=${from}&to=${to}`
    expect((await shop.admin.api('GET', `${url}&limit=3`)).json()).toMatchObject({ changed: 40, rows: { length: 3 } })
    expect((await shop.admin.api('GET', `${url}&limit=0`)).json().rows).toEqual([])
    const compared = (await shop.admin.api('GET', url)).json()
    expect(compared).toMatchObject({ from: { runId: from }, to: { runId: to }, keyColumns: ['i'], keyChoice: 'inferred', isKeyUnique: true })
    expect(compared).toMatchObject({ added: 0, removed: 0, changed: 40, unchanged: 1960 })
    expect(compared.rows[0]).toEqual({
      op: 'change',
      key: [1],
      before: [1, 'changed'],
      after: [1, 'a text that stays the same'],
      cells: [{ column: 'state', before: 'changed', after: 'a text that stays the same' }],
    })
    const lines = await shop.admin.api('GET', `${url}&format=jsonl&keyColumns=i,state`)
    expect(lines.headers).toMatchObject({ 'querypost-key-columns': '["i","state"]', 'querypost-key-choice': 'chosen' })
    const ops = lines.body.trim().split('\n').map((line) => JSON.parse(line).op)
    expect([ops.length, new Set(ops)]).toEqual([80, new Set(['add', 'remove'])])
    expect((await shop.admin.page('GET', `/app${url}`)).json()).toEqual(compared)
    expectRefusal(await shop.admin.api('GET', `${url}&keyColumns=other`), 'invalid_request', at('keyColumns'))
    expectRefusal(await shop.admin.api('GET', `/api/references/${shortId}/compare?from=${from}&to=run_unknown`), 'result_not_kept')
    expectRefusal(await bank.admin.api('GET', url), 'reference_not_found')
  })

  test('pins and unpins results, up to the limit', async () => {
    const { id, shortId } = await addReference()
    const runId = await run(shortId, 1)
    const pinUrl = `/app/api/references/${shortId}/results/${runId}/pin`
    for (let times = 0; times < 2; times++) expect((await member.page('PUT', pinUrl)).json()).toMatchObject({ runId, isPinned: true })
    for (let times = 0; times < 2; times++) expect((await member.page('DELETE', pinUrl)).json()).toMatchObject({ runId, isPinned: false })
    const records = await rowsOf(sql<{ action: string }>`select action from audit_log where subject_id = ${shortId} and action like 'result.%' order by action`)
    expect(records.map(({ action }) => action)).toEqual(['result.pinned', 'result.unpinned'])
    await sql`
      insert into result_pins (id, reference_id, run_id, pinned_by, pinned_at)
      select 'pin_' || n, ${id}, 'run_' || n, 'user', now() from generate_series(1, ${pinnedMax}::integer) as n`.execute(service.services.db)
    expectRefusal(await member.page('PUT', pinUrl), 'too_many_pinned')
    for (const method of ['PUT', 'DELETE'] as const) {
      expectRefusal(await member.page(method, `/app/api/references/${shortId}/results/run_unknown/pin`), 'result_not_kept')
      expectRefusal(await bank.admin.page(method, pinUrl), 'reference_not_found')
    }
  })

  test('refuses results of other references, organizations and unknown runs', async () => {
    const [one, other] = [await addReference(), await addReference()]
    await run(one.shortId, 1)
    const runId = await run(other.shortId, 8)
    await sql`update query_references set query_id = ${(await storeQuery(shop, 'select 7')).id} where id = ${one.id}`.execute(service.services.db)
    expectRefusal(await read(one.shortId, 'run_unknown'), 'result_not_kept')
    expectRefusal(await read(unknownShortId, runId), 'reference_not_found')
    for (const url of [`/api/references/${other.shortId}/results`, `/api/references/${other.shortId}/results/${runId}`]) {
      expectRefusal(await bank.admin.api('GET', url), 'reference_not_found')
    }
    expectRefusal(await read(other.shortId, runId, '?raw=1'), 'invalid_request', { details: [{ path: 'raw', message: expect.any(String) }] })
  })

  test('says that a result is damaged instead of sending other rows', async () => {
    const { shortId } = await addReference()
    const runId = await run(shortId, 42)
    const [object] = await rowsOf(sql<{ id: string; bytes: number }>`
      select object.id, object.stored_bytes as bytes from archive_objects as object join archived_results as result on object_id = object.id
      where run_id = ${runId}`)
    const file = `${service.services.dataDirectory}/archive/${object!.id}.zst`
    await writeFile(file, Buffer.alloc(object!.bytes, 1))
    expectRefusal(await read(shortId, runId), 'result_damaged', { message: /damaged/ })
    expectRefusal(await read(shortId, runId, '?format=csv'), 'result_damaged', { message: /damaged/ })
    // Later results do not depend on it.
    const later = await run(shortId, 43)
    expect((await read(shortId, later)).json().rowCount).toBe(2000)
  })

  test('an owner keeps less for a reference, an admin decides for the organization', async () => {
    const { shortId } = await addReference()
    const url = `/app/api/references/${shortId}/history-settings`
    expect((await member.page('GET', url)).json()).toEqual({ own: { days: null, count: null }, organization: { days: 90, count: 400 } })
    expectRefusal(await member.page('PATCH', url, { days: 10 }), 'forbidden')
    expect((await shop.admin.page('PATCH', url, { days: 10 })).json().own).toEqual({ days: 10, count: null })
    expectRefusal(await shop.admin.page('PATCH', url, { count: 401 }), 'invalid_request', {
      details: [{ path: 'count', message: 'must be at most 400' }],
    })
    expectRefusal(await member.page('PATCH', '/app/api/result-history', { days: 30 }), 'forbidden')
    const changed = (await shop.admin.page('PATCH', '/app/api/result-history', { days: 30, bytes: 10 ** 9 })).json()
    expect(changed).toEqual({
      limits: { days: 30, count: 400, bytes: 10 ** 9 },
      defaults: { days: 90, count: 400, bytes: 2 * 1024 ** 3 },
      storedBytes: expect.any(Number),
    })
    expect((await member.page('GET', '/app/api/result-history')).json()).toEqual(changed)
    expect((await bank.admin.page('GET', '/app/api/result-history')).json().limits.days).toBe(90)
    expectRefusal(await bank.admin.page('PATCH', url, { days: 1 }), 'reference_not_found')
    await shop.admin.page('PATCH', '/app/api/result-history', { days: 90, bytes: 2 * 1024 ** 3 })
  })

  test('lists what takes space, largest first, page by page', async () => {
    const { items } = (await shop.admin.page('GET', '/app/api/result-history/use?limit=100')).json()
    expect(items.length).toBeGreaterThan(3)
    const sizes = items.map(({ storedBytes }: { storedBytes: number }) => storedBytes)
    expect(sizes).toEqual(sizes.toSorted((one: number, other: number) => other - one))
    const { storedBytes } = (await shop.admin.page('GET', '/app/api/result-history')).json()
    expect(sizes.reduce((sum: number, size: number) => sum + size, 0)).toBe(storedBytes)
    const paged = []
    for (let cursor = ''; ; ) {
      const page = (await shop.admin.page('GET', `/app/api/result-history/use?limit=2${cursor}`)).json()
      paged.push(...page.items)
      if (!page.nextCursor) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(paged).toEqual(items)
    expect((await bank.admin.page('GET', '/app/api/result-history/use')).json()).toEqual({ items: [] })
  })

  test('expires results by age and count, keeps pinned ones, and removes bytes that none needs', async () => {
    const { shortId, id } = await addReference()
    const runIds: string[] = []
    for (const n of [51, 52, 53, 54]) {
      runIds.push(await run(shortId, n))
      await service.clock.advance(1000)
    }
    await shop.admin.page('PUT', `/app/api/references/${shortId}/results/${runIds[1]}/pin`)
    await shop.admin.page('PATCH', `/app/api/references/${shortId}/history-settings`, { count: 2, days: 5 })
    service.clock.leap(dayMs + 1000)
    await sweepOnce()
    const kept = async () => (await list(shortId)).items.map(({ runId }: { runId: string }) => runId)
    expect(await kept()).toEqual([runIds[3], runIds[2], runIds[1]])
    // The differences build on the first result, which has expired itself.
    expect((await read(shortId, runIds[3]!)).json().rowCount).toBe(2000)
    service.clock.leap(6 * dayMs)
    await sweepOnce()
    expect(await kept()).toEqual([runIds[1]])
    expect((await read(shortId, runIds[1]!)).json().rowCount).toBe(2000)
    await shop.admin.page('DELETE', `/app/api/references/${shortId}/results/${runIds[1]}/pin`)
    // So that the results of the other tests expire too.
    await shop.admin.page('PATCH', '/app/api/result-history', { days: 5 })
    // A process died while it wrote this one.
    await sql`
      insert into archive_objects (id, organization_id, content_hash, key_id, chain_length, chain_bytes, place, document_bytes, created_at)
      values ('arc_unfinished', ${shop.admin.caller.organizationId}, 'hash', 'arc_unfinished', 0, 0, 'files', 1, ${service.clock.now()})`.execute(service.services.db)
    const archiveFolder = `${service.services.dataDirectory}/archive`
    await writeFile(`${archiveFolder}/arc_unfinished.zst.part`, 'half')
    for (let days = 0; days < 12; days++) {
      service.clock.leap(dayMs + 1000)
      await sweepOnce()
    }
    expect(await rowsOf(sql`select from archived_results where reference_id = ${id}`)).toEqual([])
    expect(await objects()).toEqual([])
    expect(await readdir(archiveFolder)).toEqual([])
    expect(await rowsOf(sql`select from archive_jobs`)).toEqual([])
  })

  test('removes the chains with the oldest results when an organization uses too much space', async () => {
    const [old, recent] = [await addReference(), await addReference()]
    await run(old.shortId, 61)
    service.clock.leap(dayMs)
    await run(recent.shortId, 62)
    const { storedBytes } = (await shop.admin.page('GET', '/app/api/result-history')).json()
    await shop.admin.page('PATCH', '/app/api/result-history', { bytes: storedBytes - 1 })
    service.clock.leap(dayMs + 1000)
    await sweepOnce()
    expect((await list(old.shortId)).items).toEqual([])
    expect((await list(recent.shortId)).items.length).toBe(1)
  })
})
