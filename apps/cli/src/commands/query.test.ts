import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  parameter,
  startTestService,
  startTime,
  storeQuery,
  storeReference,
  type TestOrganization,
  type TestService,
  unknownUuid,
} from '@querypost/server/testing/suites'
import { pollPause } from '@querypost/server/testing'
import type { Context } from '../command.ts'
import { tryCommand } from '../../testing/command-context.ts'

let service: TestService
let shop: TestOrganization
let url: string
let folder: string
/** A query of numbers, each with a formula. */
let numbers: { id: string; shortId: string }
const sunset = new Date(Date.parse(startTime) + 30 * 3_600_000)

beforeAll(async () => {
  service = await startTestService('postgres', { queryApi: { state: 'active', sunset } })
  shop = await service.addOrganization('shop')
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-query-'))
  const { id } = await storeQuery(shop, `select n, '=1+' || n as f from numbers where n < 3 order by n`)
  const { shortId } = await storeReference(shop, id, { title: 'Three numbers', description: 'A formula each' })
  numbers = { id, shortId }
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Short waits end once the service had a turn; long ones guard against silence and never end. */
const clock: Context['clock'] = {
  now: () => service.clock.now(),
  monotonicMs: () => 0,
  machineMs: () => service.clock.machineMs(),
  sleep: (ms, signal) =>
    ms < 2500
      ? pollPause()
      : new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
}
const command = (args: string[], world: Parameters<typeof tryCommand>[1] = {}) =>
  tryCommand(['query', ...args], {
    environment: { QUERYPOST_URL: url, QUERYPOST_API_KEY: shop.admin.apiKey },
    clock,
    ...world,
  })

test('result says what to do when the query has never run', async () => {
  const { exitCode, stdout, stderr } = await command(['result', numbers.shortId])
  expect([exitCode, stdout]).toEqual([1, ''])
  expect(stderr).toContain('The query has not been run yet. Refresh it first.')
  expect(stderr).toContain('/docs/errors#result_not_available')
})

test('run waits for the run and shows a table', async () => {
  const { exitCode, stdout, stderr } = await command(['run', numbers.shortId])
  expect(exitCode).toBe(0)
  expect(stdout).toBe('   n  f\n────  ────\n   0  =1+0\n   1  =1+1\n   2  =1+2\n')
  expect(stderr).toMatch(/^Completed in [\d.]+ s\.\n3 rows\.\n$/)
})

test('reports how many rows are not shown', async () => {
  expect((await command(['run', numbers.id, '--limit', '2'])).stderr).toContain(
    'Showing the first 2 of 3 rows. Use --limit 0 to show all.',
  )
  expect((await command(['result', numbers.id, '--limit', '2'])).stderr).toBe(
    'Showing the first 2 rows. Use --limit 0 to show all.\n',
  )
  expect((await command(['run', numbers.id, '--limit', '3'])).stderr).toContain('s.\n3 rows.\n')
})

test('shows progress at a terminal and clears it at the end', async () => {
  const { stdout, stderr } = await command(['run', numbers.id], { isTerminal: true })
  expect(stdout).toContain('=1+2')
  const [first, ...others] = stderr.split('\r\u001b[K').slice(1)
  expect(first).toBe('pending 0.0 s')
  expect(others.at(-1)).toContain('3 rows.')
})

test.each<[string[], RegExp]>([
  [['--format', 'csv'], /^n,f\r\n0,'=1\+0\r\n1,'=1\+1\r\n2,'=1\+2\r\n$/],
  [['--format', 'csv', '--raw'], /^n,f\r\n0,=1\+0\r\n1,=1\+1\r\n2,=1\+2\r\n$/],
  [['-f', 'jsonl'], /^\{"n":0,"f":"=1\+0"\}\n\{.*\}\n\{"n":2,"f":"=1\+2"\}\n$/],
  [['--json'], /^\{"fields":.*"rowCount":3\}\n$/],
  [['--format', 'parquet'], /^PAR1/],
  [['--limit', '2'], /=1\+1\n$/],
])('result %s writes the expected format', async (args, expected) => {
  const { exitCode, stdout } = await command(['result', `${url}/q/${numbers.shortId}`, ...args])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(expected)
})

test('writes a complete file in the format of its extension', async () => {
  const file = path.join(folder, 'numbers.csv')
  const { exitCode, stdout, stderr } = await command(['run', numbers.shortId, '--output', file])
  expect([exitCode, stdout]).toEqual([0, ''])
  expect(stderr).toContain(`Wrote ${file}`)
  expect(await readFile(file, 'utf8')).toMatch(/^n,f\r\n0/)
  const nowhere = await command(['result', numbers.shortId, '--output', path.join(folder, 'no/where.csv')])
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([1, expect.stringContaining('Can’t write')])
  expect(await readdir(folder)).toEqual(['numbers.csv'])
})

test('leaves no partial file when the connection breaks', async () => {
  const breaking: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (!answer.url.includes('/result')) return answer
    const pieces = [Buffer.from('n,f\r\n')]
    const body = new ReadableStream({
      pull: (controller) =>
        pieces.length > 0 ? controller.enqueue(pieces.pop()) : controller.error(new TypeError('terminated')),
    })
    return new Response(body, answer)
  }
  const { exitCode, stderr } = await command(['result', numbers.shortId, '--output', path.join(folder, 'half.csv')], {
    fetch: breaking,
  })
  expect([exitCode, stderr]).toEqual([
    3,
    expect.stringContaining('The connection was lost'),
  ])
  expect(await readdir(folder)).toEqual(['numbers.csv'])
})

test('shows why a run failed', async () => {
  const { id } = await storeQuery(shop, `select error('on purpose')`)
  const { exitCode, stdout, stderr } = await command(['run', id])
  expect([exitCode, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/The run failed: .*on purpose/)
})

test('waits for a run that is already running; an interrupt leaves it running and says so', async () => {
  const { id } = await storeQuery(
    shop,
    'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3',
  )
  const { exitCode, stdout } = await command(['run', id, '--no-wait', '--json'])
  const run = JSON.parse(stdout) as { id: string; status: string }
  expect([exitCode, run.status]).toEqual([0, 'pending'])
  const interruption = new AbortController()
  const joined = await command(['run', id], {
    signal: interruption.signal,
    isTerminal: true,
    onOutput: (output) => (/\rrunning|Krunning/.test(output) ? interruption.abort() : undefined),
  })
  expect(joined.stderr).toContain('The query is already running; waiting for that run.')
  expect(joined.stderr).toContain(`The run ${run.id} continues.`)
  const again = await command(['run', id, '--no-wait'])
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('already running')])
  await shop.admin.page('POST', `/app/api/runs/${run.id}/cancel`)
  await service.ended(shop.admin.caller, run.id)
})

test('run takes values for parameters, and defaults for the others', async () => {
  const { id } = await storeQuery(shop, 'select {{word}} as word, {{count}} + 1 as next')
  const parameters = [parameter('word', 'text', 'default'), parameter('count', 'number', '41')]
  const { shortId } = await storeReference(shop, id, { title: 'Greeting', parameters })
  const csv = ['--format', 'csv']
  expect(await command(['run', shortId, '--param', 'word=a=b', ...csv])).toMatchObject({
    exitCode: 0,
    stdout: 'word,next\r\na=b,42\r\n',
  })
  const both = await command(['run', `${url}/q/${shortId}`, '-p', 'word=two words', '-p', 'count=1', ...csv])
  expect(both.stdout).toBe('word,next\r\ntwo words,2\r\n')
  // Without --param: the values of the last run.
  expect((await command(['run', shortId, ...csv])).stdout).toBe(both.stdout)
  const started = await command(['run', shortId, '--param', 'count=5', '--no-wait', '--json'])
  const run = JSON.parse(started.stdout) as { id: string; parameterValues: unknown }
  expect(run.parameterValues).toEqual({ word: 'default', count: 5 })
  await service.ended(shop.admin.caller, run.id)

  const misspelled = await command(['run', shortId, '--param', 'wrod=x'])
  expect(misspelled).toMatchObject({ exitCode: 2, stdout: '' })
  expect(misspelled.stderr).toContain('"Greeting" has no parameter "wrod". Did you mean "word"? Its parameters: word, count.')
  const twice = await command(['run', shortId, '-p', 'word=a', '-p', 'word=b'])
  expect(twice).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--param word is given twice') })
  const none = await command(['run', numbers.shortId, '--param', 'word=x'])
  expect(none.stderr).toContain('has no parameter "word". It has no parameters.')
  const unfit = await command(['run', shortId, '--param', 'count=many'])
  expect(unfit).toMatchObject({ exitCode: 1, stdout: '' })
  expect(unfit.stderr).toContain('The value of the parameter "count" does not fit its type number')
  expect(unfit.stderr).toContain('/docs/errors#parameter_invalid')
  const unreachable: typeof fetch = (input, init) =>
    typeof input === 'string' && input.endsWith('/mcp') ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)
  expect(await command(['run', shortId, '--param', 'word=x'], { fetch: unreachable })).toMatchObject({ exitCode: 3, stdout: '' })
})

test('run takes lists and date ranges', async () => {
  const sql = "select word, ({{period.end}} - {{period.start}}) + 1 as days from (select unnest(['a', 'b', 'c']) as word) where word in ({{words}})"
  const { id } = await storeQuery(shop, sql)
  const parameters = [{ ...parameter('words', 'text', '["c"]'), isList: true }, parameter('period', 'dateRange', '')]
  const { shortId } = await storeReference(shop, id, { parameters })
  const csv = ['--format', 'csv']
  const both = await command(['run', shortId, '-p', 'words=a', '-p', 'words=b', '-p', 'period=last 30 days', ...csv])
  expect([both.stderr, both.stdout]).toEqual([expect.any(String), 'word,days\r\na,30\r\nb,30\r\n'])
  const usual = await command(['run', shortId, '-p', 'period=2024-02-01..2024-02-29', ...csv])
  expect(usual.stdout).toBe('word,days\r\nc,29\r\n')
  expect((await command(['run', shortId, '-p', 'words=', '-p', 'period=today', ...csv])).stdout).toBe('word,days\r\n')
  expect((await command(['run', shortId, '-p', 'period=last month'])).stderr).toContain('does not fit its type dateRange')
})

test('list shows permalinks and finds text in title, description and SQL', async () => {
  const other = await storeQuery(shop, 'select 42 as answer')
  service.clock.leap(1000)
  const { shortId } = await storeReference(shop, other.id, { title: 'Another' })
  const all = await command(['list'])
  expect(all.stdout).toContain(`${url}/q/${numbers.shortId}  Three numbers\n`)
  const narrow = await command(['list'], { isTerminal: true, columns: 50 })
  expect(stripVTControlCharacters(narrow.stdout)).toContain(`${url}/q/${numbers.shortId}`)
  const found = await command(['list', '--search', 'ANSWER', '--json'])
  expect((JSON.parse(found.stdout) as { items: { shortId: string }[] }).items.map((item) => item.shortId)).toEqual([
    shortId,
  ])
  const cut = await command(['list', '--limit', '1'])
  expect(cut.stdout).not.toContain('Three numbers')
  expect(cut.stderr).toContain('Showing the first 1. Use --limit 0 to list all.')
  expect((await command(['list', '--search', 'nowhere'])).stderr).toBe('No saved query contains "nowhere".\n')
})

test.each([
  [['result'], 'Name one query'],
  [['result', 'a', 'b'], 'Name one query'],
  [['result', 'x!'], 'is not a permalink'],
  [['result', 'k7Rm2QwXn4', '--format', 'xls'], 'Use table, csv'],
  [['result', 'k7Rm2QwXn4', '--format', 'csv', '--json'], 'can’t be combined'],
  [['result', 'k7Rm2QwXn4', '--output', 'x.doc'], 'is not a known format'],
  [['result', 'k7Rm2QwXn4', '--format', 'table', '--output', 'x'], 'A table can’t be written to a file'],
  [['result', 'k7Rm2QwXn4', '--raw'], '--raw needs --format csv'],
  [['result', 'k7Rm2QwXn4', '--limit', 'all'], '--limit all is not a number'],
  [['list', 'revenue'], 'Did you mean --search revenue?'],
  [['list', '--limit', 'x'], 'is not a number'],
  [['frob'], 'Choose one: querypost query list, querypost query run, querypost query result'],
  [['run', 'k7Rm2QwXn4', '--param', 'month'], '--param month is not of the form name=value'],
  [['run', 'k7Rm2QwXn4', '--param', '=5'], '--param =5 is not of the form name=value'],
  [['run', unknownUuid, '--param', 'a=1'], '--param needs a saved query'],
])('rejects query %s', async (args, words) => {
  const { exitCode, stdout, stderr } = await command(args)
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(words)
})

test('rejects binary formats at a terminal', async () => {
  const { exitCode, stderr } = await command(['result', numbers.shortId, '--format', 'arrow'], { isTerminal: true })
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--output result.arrows')])
})

test('tells apart a missing query, a rejected key and a service that can’t be reached', async () => {
  expect(await command(['result', unknownUuid])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('query') as string,
  })
  const stranger = { QUERYPOST_URL: url, QUERYPOST_API_KEY: `qp_live_${'x'.repeat(32)}` }
  expect(await command(['list'], { environment: stranger })).toMatchObject({ exitCode: 3 })
  expect(await command(['list'], { environment: { QUERYPOST_URL: url } })).toMatchObject({ exitCode: 2 })
  const nobody: typeof fetch = async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })
  }
  expect(await command(['run', numbers.id], { fetch: nobody })).toMatchObject({ exitCode: 3, stdout: '' })
})

test('reports a retired API at once', async () => {
  service.clock.leap(31 * 3_600_000)
  let count = 0
  const counting: typeof fetch = (...args) => (count++, fetch(...args))
  for (const args of [['list'], ['run', numbers.shortId], ['result', numbers.id]]) {
    const { exitCode, stdout, stderr } = await command(args, { fetch: counting })
    expect([exitCode, stdout]).toEqual([3, ''])
    expect(stderr).toContain('/docs/errors#route_retired')
  }
  expect(count).toBe(3)
})

test('results list shows the kept results of a query, and results get reads one of them', async () => {
  const results = (args: string[]) =>
    tryCommand(['results', ...args], { environment: { QUERYPOST_URL: url, QUERYPOST_API_KEY: shop.admin.apiKey }, clock })
  await command(['run', numbers.shortId])
  let items: { runId: string; rowCount: number }[] = []
  while (items.length === 0) {
    items = JSON.parse((await results(['list', numbers.shortId, '--json'])).stdout).items
    await pollPause()
  }
  const { runId } = items[0]!
  expect((await results(['list', numbers.shortId, '--limit', '1'])).stdout).toContain(runId)
  expect((await results(['get', numbers.shortId, runId])).stdout).toBe('   n  f\n────  ────\n   0  =1+0\n   1  =1+1\n   2  =1+2\n')
  expect((await results(['get', numbers.shortId, runId, '--format', 'csv', '--raw'])).stdout).toBe('n,f\r\n0,=1+0\r\n1,=1+1\r\n2,=1+2\r\n')
  const unknown = await results(['get', numbers.shortId, 'run_unknown'])
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('/docs/errors#result_not_kept')])
  for (const args of [['list'], ['get', numbers.shortId], ['list', numbers.shortId, '--limit', 'x']]) expect((await results(args)).exitCode).toBe(2)
})

test('watch prints the changes of a query after a number, and each new one', async () => {
  const environment = { QUERYPOST_URL: url, QUERYPOST_API_KEY: shop.admin.apiKey }
  const watch = (args: string[]) => tryCommand(['watch', ...args], { environment, clock })
  const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1 as id')).id, { title: 'Changing' })
  expect((await watch([shortId, '--once'])).stderr).toContain('/docs/errors#changes_not_published')
  await shop.admin.api('PATCH', `/api/references/${shortId}`, { publishesChanges: true })
  for (const sql of ['select 1 as id', 'select 2 as id', 'select 3 as id']) {
    await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { sql })
    const run = await shop.admin.page('POST', `/app/api/references/${shortId}/runs`, {})
    await service.ended(shop.admin.caller, run.json().id)
  }
  const all = () => watch([shortId, '--after', '0', '--once', '--json'])
  while ((await all()).stdout.split('\n').length < 3) await pollPause()
  expect((await all()).stdout.trim().split('\n').map((line) => JSON.parse(line).number)).toEqual([1, 2])
  expect((await watch([shortId, '--after', '1', '--once'])).stdout).toMatch(/^2 {2}\S+ {2}\+1 -1 ~0 {2}http\S+\/changes\/2\/rows\n$/)
  expect((await watch([shortId, '--once'])).stdout).toBe('')
  expect((await watch([shortId, '--after', '9', '--once'])).stderr).toContain('/docs/errors#change_not_found')
  for (const args of [[], [shortId, '--after', 'x'], [shortId, '--every', '0']]) expect((await watch(args)).exitCode).toBe(2)
})
