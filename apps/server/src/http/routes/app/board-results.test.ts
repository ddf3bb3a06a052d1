import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { referenceTile } from '../../../../testing/http/board-requests.ts'
import { at, endOf, expectRefusal, parameter, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'

interface State {
  tileId: string
  status: string
  runId: string | null
  completedAt: string | null
  failureReason: string | null
  runningRunId: string | null
  runningSince: string | null
  isStopped: boolean
}

interface ShortResult {
  tileId: string
  runId: string
  result: { fields: object[]; rows: unknown[][]; rowCount: number }
}

/** A tile that neither shows a result nor runs. */
const empty = {
  runId: null,
  completedAt: null,
  failureReason: null,
  runningRunId: null,
  runningSince: null,
  progress: null,
  rowCountSoFar: null,
  isStopped: false,
}

describe.each(routeStoreKinds)('results of boards on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const sql = 'select n from numbers where n >= {{least}} order by n'
  const newReference = async (text = sql, content: object = { parameters: [parameter('least', 'number', '7')] }) =>
    storeReference(shop, (await storeQuery(shop, text)).id, { ...content })
  const newBoard = async (body: object) => {
    const answer = await shop.admin.page('POST', '/app/api/boards', { title: 'Numbers', ...body })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json<{ shortId: string }>().shortId
  }
  const send = (shortId: string, action: 'results' | 'refresh' | 'short-results', body?: object) =>
    shop.admin.page('POST', `/app/api/boards/${shortId}/${action}`, body)
  const results = async (shortId: string, body?: object): Promise<State[]> => (await send(shortId, 'results', body)).json().tiles
  const statuses = (tiles: State[]) => tiles.map(({ status }) => status)
  const refresh = async (shortId: string, body?: object): Promise<State[]> => {
    const answer = await send(shortId, 'refresh', body)
    expect(answer.statusCode, answer.body).toBe(202)
    return answer.json().tiles
  }
  /** The states once nothing is running. */
  async function settled(shortId: string, body?: object): Promise<State[]> {
    for (;;) {
      const tiles = await results(shortId, body)
      if (!statuses(tiles).includes('running')) return tiles
      await pollPause()
    }
  }
  const rowsOf = async ({ runId }: State) => (await shop.admin.page('GET', `/app/api/runs/${runId}/result`)).json().rows
  const runCount = async (queryId: string) => (await shop.admin.page('GET', `/app/api/queries/${queryId}/runs`)).json().items.length
  const least = { parameters: [{ name: 'from', type: 'number' }] }
  const mapped = { parameterMapping: { least: 'from' } }

  test('a tile shows the newest result with its values, however it was made', async () => {
    const { shortId: reference } = await newReference()
    const board = await newBoard({ ...least, tiles: [referenceTile('a', reference, 0, mapped)] })
    expect(await results(board)).toEqual([
      { ...empty, tileId: 'a', status: 'missing' },
    ])
    const run = async (value: number) => {
      const started = shop.admin.page('POST', `/app/api/references/${reference}/runs`, { parameterValues: { least: value } })
      return (await endOf(service, shop, started)).id
    }
    const eight = await run(8)
    const seven = await run(7)
    // Without a value of its own, the board leaves the query its default.
    expect(await results(board)).toEqual([
      { ...empty, tileId: 'a', status: 'ready', runId: seven, completedAt: expect.any(String) },
    ])
    expect(await results(board, { parameters: { from: 8 } })).toMatchObject([{ status: 'ready', runId: eight }])
    expect(await results(board, { parameters: { from: '8.0' } })).toMatchObject([{ status: 'missing' }])
    const newer = await run(8)
    expect(await results(board, { parameters: { from: 8 } })).toMatchObject([{ runId: newer }])
    expectRefusal(await send(board, 'results', { parameters: { to: 8 } }), 'parameter_invalid')
    expectRefusal(await send(board, 'results', { parameters: { from: 'x' } }), 'parameter_invalid')
  })

  test('sends the rows that a line draws and all rows of short results, with the states of all tiles', async () => {
    const long = 'select i as n, (i * 7919) % 997 as value from range(1000) as numbers (i) order by i'
    const visualization = (name: string) => ({
      type: name.toLowerCase(),
      jsxConfig: `<${name}Chart><XAxis dataKey="n" /><${name} dataKey="value" /></${name}Chart>`,
      marginConfig: {},
    })
    const line = await newReference(long, { visualization: visualization('Line') })
    const bars = await newReference(long, { visualization: visualization('Bar') })
    const few = await newReference('select 7 as n', {})
    const tiles = [line, bars, few, few].map(({ shortId }, number) => referenceTile(`t${number}`, shortId, number * 4))
    const board = await newBoard({ tiles })
    await refresh(board)
    const states = await settled(board)
    const sizes = ['t0', 't1', 't2'].map((tileId) => ({ tileId, maxRows: 100 }))
    const read = async () => (await send(board, 'short-results', { tiles: sizes })).json<{ tiles: State[]; shortResults: ShortResult[] }>()
    const answer = await read()
    expect(answer.tiles).toEqual(states)
    expect(answer.shortResults.map(({ tileId, runId }) => [tileId, runId])).toEqual([['t0', states[0]!.runId], ['t2', states[2]!.runId]])
    const [drawn, whole] = answer.shortResults.map(({ result }) => result)
    const all = await rowsOf(states[0]!)
    expect(drawn!.rowCount).toBe(1000)
    expect(drawn!.rows.length).toBeGreaterThan(50)
    expect(drawn!.rows.length).toBeLessThanOrEqual(100)
    expect(drawn!.rows).toEqual(drawn!.rows.map(([n]) => all[n as number]))
    expect([drawn!.rows[0], drawn!.rows.at(-1)]).toEqual([all[0], all[999]])
    expect(whole).toEqual({ fields: [{ name: 'n', type: 'integer' }], rows: [[7]], rowCount: 1 })
    expect(await read()).toEqual(answer)
    const packed = await shop.admin.page('POST', `/app/api/boards/${board}/short-results`, { tiles: sizes }, { 'accept-encoding': 'gzip' })
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(answer)
    expectRefusal(await send(board, 'short-results', { tiles: [{ tileId: 't0', maxRows: 99 }] }), 'invalid_request', at('/tiles/0/maxRows'))
    expectRefusal(await send(board, 'short-results', { tiles: [] }), 'invalid_request', at('/tiles'))
    expectRefusal(await send(board, 'short-results', { tiles: sizes, parameters: { from: 1 } }), 'parameter_invalid')
  })

  test('a refresh runs tiles with the same query and values once, and other values one after the other', async () => {
    const reference = await newReference()
    const board = await newBoard({
      parameters: [
        { name: 'from', type: 'number', defaultValue: '8' },
        { name: 'other', type: 'number', defaultValue: '9' },
      ],
      tiles: [
        referenceTile('a', reference.shortId, 0, mapped),
        referenceTile('b', reference.shortId, 4, mapped),
        referenceTile('c', reference.shortId, 8, { parameterMapping: { least: 'other' } }),
        { id: 'd', kind: 'heading', text: 'Not a query', x: 0, y: 12, width: 12, height: 1 },
      ],
    })
    await refresh(board)
    const tiles = await settled(board)
    expect(statuses(tiles)).toEqual(['ready', 'ready', 'ready'])
    expect(tiles[0]!.runId).toBe(tiles[1]!.runId)
    expect(await Promise.all(tiles.map(rowsOf))).toEqual([[[8], [9]], [[8], [9]], [[9]]])
    expect(await runCount(reference.currentQuery.id)).toBe(2)
  })

  test('each tile has its own state and error', async () => {
    const good = await newReference()
    const bad = await newReference("select error('broken')", {})
    const deleted = await newReference()
    const incomplete = await newReference('select {{missing}}', { parameters: [parameter('missing', 'number', '')] })
    const tiles = [good, bad, deleted, incomplete].map(({ shortId }, at) => referenceTile(`t${at}`, shortId, at * 4))
    const board = await newBoard({ tiles })
    await shop.admin.page('DELETE', `/app/api/references/${deleted.shortId}?evenIfUsed=true`)
    await refresh(board)
    expect(await settled(board)).toEqual([
      { ...empty, tileId: 't0', status: 'ready', runId: expect.any(String), completedAt: expect.any(String) },
      { ...empty, tileId: 't1', status: 'failed', failureReason: expect.stringContaining('broken') },
      { ...empty, tileId: 't2', status: 'failed', failureReason: 'The query of this tile was deleted.' },
      { ...empty, tileId: 't3', status: 'failed', failureReason: expect.stringContaining('"missing"') },
    ])
  })

  test('a running tile names its run, which can be stopped', async () => {
    const { shortId } = await newReference('select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3', {})
    const board = await newBoard({ tiles: [referenceTile('a', shortId, 0)] })
    const [started] = await refresh(board)
    expect(started).toMatchObject({ status: 'running', runId: null, runningSince: expect.any(String), isStopped: false })
    expect((await shop.admin.page('POST', `/app/api/runs/${started!.runningRunId}/cancel`)).statusCode).toBe(200)
    const [stopped] = await settled(board)
    expect(stopped).toEqual({
      ...empty,
      tileId: 'a',
      status: 'failed',
      failureReason: expect.stringMatching(/^Stopped by admin/),
      isStopped: true,
    })
  })

  test('some tiles are refreshed alone, or only those without a result', async () => {
    const [one, two] = [await newReference(), await newReference()]
    const board = await newBoard({ tiles: [referenceTile('a', one.shortId, 0), referenceTile('b', two.shortId, 4)] })
    await refresh(board, { tileIds: ['a'] })
    expect(statuses(await settled(board))).toEqual(['ready', 'missing'])
    await refresh(board, { onlyMissing: true })
    expect(statuses(await settled(board))).toEqual(['ready', 'ready'])
    expect(await Promise.all([one, two].map(({ currentQuery }) => runCount(currentQuery.id)))).toEqual([1, 1])
    await refresh(board)
    await settled(board)
    expect(await Promise.all([one, two].map(({ currentQuery }) => runCount(currentQuery.id)))).toEqual([2, 2])
    expectRefusal(await send(board, 'refresh', { tileIds: ['x'] }), 'invalid_request', at('/tileIds/0'))
  })

  test('an image shows the results for the values in its URL', async () => {
    const { shortId } = await newReference()
    const board = await newBoard({ ...least, tiles: [referenceTile('a', shortId, 0, mapped)] })
    await refresh(board, { parameters: { from: 8 } })
    await settled(board, { parameters: { from: 8 } })
    const image = (search: string) => shop.admin.api('GET', `/api/boards/${board}/image.png${search}`)
    const tags = (await Promise.all(['', '?from=8', '?from=8', '?from=9'].map(image))).map(({ headers }) => headers.etag)
    expect(tags[1]).toBe(tags[2])
    // Neither the default nor 9 was run.
    expect(tags[0]).toBe(tags[3])
    expect(tags[0]).not.toBe(tags[1])
    for (const search of ['?from=x', '?from=8&from=9', '?to=8']) expectRefusal(await image(search), 'parameter_invalid')
    expectRefusal(await image('?parameters=8'), 'invalid_request', at('parameters'))
  })

  test('a result that has expired is not shown', async () => {
    const { shortId } = await newReference()
    const board = await newBoard({ tiles: [referenceTile('a', shortId, 0)] })
    await refresh(board)
    const [before] = await settled(board)
    const dayAgo = new Date(service.clock.now().getTime() - 24 * 3600_000)
    await service.services.db.updateTable('runs').set({ completed_at: dayAgo }).where('id', '=', before!.runId).execute()
    expect(await results(board)).toEqual([
      { ...empty, tileId: 'a', status: 'expired' },
    ])
  })

  describe('export', () => {
    const download = (shortId: string, query: string) => shop.admin.page('GET', `/app/api/boards/${shortId}/export${query}`)
    const valuesOf = (values: object) => `&values=${encodeURIComponent(JSON.stringify(values))}`

    test('a board becomes a PDF and a workbook, with the results for the given values', async () => {
      const { shortId: reference } = await newReference()
      const heading = { id: 'h', kind: 'heading', text: 'Totals', x: 0, y: 20, width: 12, height: 1 }
      const board = await newBoard({ title: 'Numbers: "all"', ...least, tiles: [referenceTile('a', reference, 0, { ...mapped, title: 'From' }), heading] })
      await refresh(board, { parameters: { from: 8 } })
      await settled(board, { parameters: { from: 8 } })
      const pdf = await download(board, '?format=pdf')
      expect(pdf.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'private, no-store' })
      expect(pdf.headers['content-disposition']).toContain('filename="Numbers all.pdf"')
      const text = pdf.rawPayload.toString('latin1')
      expect(text).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/)
      expect(text).toMatch(/\/FontFile2/)
      expect(text).toContain(`https://querypost.test/q/${reference}`)
      expect(text.match(/\/Type \/Page\b/g)).toHaveLength(2)
      const workbook = await download(board, `?format=xlsx${valuesOf({ from: 8 })}`)
      expect(workbook.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      expect(workbook.rawPayload.subarray(0, 2).toString()).toBe('PK')
      // Nothing was run for the default values, and exporting runs nothing.
      expectRefusal(await download(board, '?format=xlsx'), 'result_not_available')
    })

    test.each([['?format=docx', 'format'], ['?format=pdf&values=[]', '/values'], ['?format=pdf&values={', '/values'], ['?other=1', 'other']])('rejects %s', async (query) => {
      const board = await newBoard({ tiles: [] })
      expect((await download(board, query)).statusCode).toBe(400)
    })
  })
})
