import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { describeJourneys, journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { signIn, storeQueryWithReference } from './steps.ts'

/** The list of queries and the run page, with the sample shop. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('queries-list')
})
beforeEach(() => arrive({}))
afterEach(() => visitor.leave())

async function arrive(options: Partial<Parameters<typeof visit>[1]>): Promise<void> {
  visitor = await visit(browser, { baseURL: service.baseUrl, ...options })
  page = visitor.page
  await signIn(page, service)
}

const list = () => page.getByRole('list', { name: 'Queries' })
const titles = () => list().getByRole('link')
const search = () => page.getByRole('searchbox', { name: 'Search queries' })
const place = () => new URL(page.url()).pathname + new URL(page.url()).search
const focused = () => page.locator(':focus')

async function startRun(sql: string, title: string): Promise<string> {
  const shortId = await storeQueryWithReference(page, { title, sql })
  const answer = await page.request.post(`/app/api/references/${shortId}/runs`)
  return ((await answer.json()) as { id: string }).id
}

journey('ticks the first steps once they are done', async () => {
  const steps = page.getByRole('listitem').filter({ has: page.getByRole('img', { name: /^(Done|To do)$/ }) })
  const progress = () => steps.getByRole('img').evaluateAll((marks) => marks.map((mark) => mark.getAttribute('aria-label')))
  await page.goto('/')
  // The sample includes a report that has run.
  await steps.first().waitFor()
  expect(await progress()).toEqual(['To do', 'To do', 'Done', 'To do', 'To do'])
  await expect.poll(() => steps.nth(1).textContent()).toContain('Write your first query')
  await storeQueryWithReference(page, { title: 'First', sql: 'select 1 as one' })
  await page.reload()
  await steps.first().waitFor()
  expect(await progress()).toEqual(['To do', 'Done', 'Done', 'To do', 'To do'])
})

describe('the list of queries', () => {
  test('searches while typing and keeps the search in the URL', async () => {
    await page.goto('/queries')
    await list().getByRole('link', { name: /Revenue by week/ }).waitFor()
    expect(await titles().count()).toBeGreaterThan(5)
    await expectAccessible(page)

    await page.keyboard.press('/')
    await page.keyboard.type('WEEK lost')
    await page.waitForURL('**/queries?search=WEEK+lost')
    await expect.poll(() => titles().count()).toBe(1)
    await page.getByText('1 query found').waitFor({ state: 'attached' })
    await expect.poll(() => titles().first().textContent()).toContain('Revenue by week')

    await page.reload()
    await expect.poll(() => titles().count()).toBe(1)
    await expect.poll(() => search().inputValue()).toBe('WEEK lost')

    await search().fill('no such words')
    await page.getByRole('heading', { name: 'No results for “no such words”' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Clear search' }).click()
    await list().getByRole('link', { name: /Revenue by week/ }).waitFor()
    expect(place()).toBe('/queries')
    await expect.poll(() => search().inputValue()).toBe('')
  })

  journey('ranks title matches first, shows recent results, and explains its keys', async () => {
    await page.goto('/')
    const recent = page.getByRole('region', { name: 'Recent results' })
    const result = (title: string) => recent.getByRole('link', { name: title })
    await result('New and returning customers').getByRole('img', { name: /^new_customers: [\d,]+$/ }).locator('polyline').waitFor()
    await result('Top products').getByRole('img', { name: /^revenue: [\d,]+$/ }).locator('rect').first().waitFor()
    await page.goto('/queries')
    await titles().first().waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Run query, or selected text').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })

    await page.keyboard.press('/')
    await page.keyboard.type('refund')
    await expect.poll(() => titles().count()).toBeGreaterThan(1)
    await expect.poll(() => titles().first().textContent()).toContain('Refund rate of a warehouse')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('refund')
    await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Refund rate of a warehouse')
  })

  test('can be navigated by keyboard', async () => {
    await page.goto('/queries')
    await titles().first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const second = await titles().nth(1).textContent()
    await expect.poll(() => focused().textContent()).toBe(second)
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowUp')
    expect(await focused().getAttribute('type')).toBe('search')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused().textContent()).toBe(second)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/q/*')
    await page.goBack()
    await titles().first().waitFor()
    await page.keyboard.press('n')
    await page.waitForURL('**/queries/new')
  })

  journey('filters by creator and database', async () => {
    await page.goto('/queries')
    await page.getByRole('checkbox', { name: 'Only mine' }).check()
    await page.waitForURL('**/queries?createdBy=me')
    await titles().first().waitFor()
    await page.goto('/queries?database=db_unknown&createdBy=me')
    await page.getByRole('heading', { name: 'No queries match these filters' }).waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Database' }).inputValue()).toBe('db_unknown')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await titles().first().waitFor()
    expect(place()).toBe('/queries')
    await expect.poll(() => page.getByRole('checkbox', { name: 'Only mine' }).isChecked()).toBe(false)
  })

  journey('loads more at the end of the list', async () => {
    for (let i = 0; i < 32; i++) await storeQueryWithReference(page, { title: `Many ${i}`, sql: `select ${i} as gathered` })
    await page.goto('/queries?search=gathered')
    await expect.poll(() => titles().count()).toBe(30)
    await titles().last().scrollIntoViewIfNeeded()
    await expect.poll(() => titles().count()).toBe(32)
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0)
  })

  test('of hundreds loads to its end while somebody holds the End key, and renders only what is near the screen', async () => {
    const size = 600
    const answer = (await (await page.request.get('/app/api/references?limit=1')).json()) as { items: { id: string; shortId: string; title: string }[] }
    await page.route('**/app/api/references?*', (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
      const items = Array.from({ length: 30 }, (_, at) => ({ ...answer.items[0], id: `ref_${from + at}`, shortId: `many${from + at}`, title: `Number ${from + at}` }))
      return route.fulfill({ json: { items, ...(from + 30 < size && { nextCursor: String(from + 30) }) } })
    })
    await page.goto('/queries')
    await titles().first().waitFor()
    await page.evaluate(async (count) => {
      const rows = document.querySelector('[aria-label="Queries"]')!.children
      while (rows.length < count) {
        scrollTo(0, document.documentElement.scrollHeight)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    }, size)
    const row = (number: number) => page.getByRole('checkbox', { name: `Select Number ${number}`, exact: true })
    await row(599).waitFor()
    expect(await titles().count()).toBeLessThan(200)
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    const before = await height()
    await page.evaluate(() => scrollTo(0, 0))
    await row(0).waitFor()
    await row(599).waitFor({ state: 'detached' })
    expect(await height()).toBe(before)
    await page.unroute('**/app/api/references?*')
  })

  journey('shows a load error and recovers on retry', async () => {
    const failure = { type: 'api_error', code: 'internal_error', message: 'The service failed.' }
    await page.route('**/app/api/references?*', (route) => route.fulfill({ status: 500, json: failure }))
    await page.goto('/queries')
    await page.getByText('The service failed.').waitFor()
    await page.unroute('**/app/api/references?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await titles().first().waitFor()
    expect(await page.getByText('The service failed.').count()).toBe(0)
  })

  journey('fits a phone in dark mode', async () => {
    await visitor.leave()
    await arrive({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
    await page.goto('/queries')
    await titles().first().waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
  })
})

describeJourneys('the first query', () => {
  journey('is offered when there are none', async () => {
    await page.route('**/app/api/references?*', (route) => route.fulfill({ json: { items: [] } }))
    await page.goto('/queries')
    await page.getByRole('heading', { name: 'Write your first query' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Start from an example' }).click()
    await page.waitForURL('**/queries/new?*')
  })
})

describe('the run page', () => {
  test('shows the SQL, the result and the query, and downloads the rows', async () => {
    const runId = await startRun(`select 1 as n, 'a,b' as text union all select 2, null order by n`, 'Two rows')
    await page.goto(`/runs/${runId}`)
    await page.getByRole('heading', { name: 'Run of Two rows' }).waitFor()
    await page.getByText('2 rows', { exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Two rows' }).getAttribute('href')).toMatch(/^\/q\/\w{10}$/)
    await page.getByText('Executed SQL').click()
    await page.getByRole('button', { name: 'Copy executed SQL' }).waitFor()
    await expectAccessible(page)
    for (const [name, file, content] of [
      [/^CSV For/, 'Two rows.csv', 'n,text\r\n1,"a,b"\r\n2,\r\n'],
      [/^Raw CSV/, 'Two rows.csv', 'n,text\r\n1,"a,b"\r\n2,\r\n'],
      [/^JSON Fields/, 'Two rows.json', '"rows":[[1,"a,b"],[2,null]]'],
      [/^JSON Lines/, 'Two rows.jsonl', '{"n":1,"text":"a,b"}\n{"n":2,"text":null}\n'],
      [/^Parquet/, 'Two rows.parquet', 'PAR1'],
      // The end-of-stream marker of Arrow.
      [/^Arrow/, 'Two rows.arrows', '\xff\xff\xff\xff\0\0\0\0'],
    ] as const) {
      await page.getByRole('button', { name: 'Download' }).click()
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()])
      expect(download.suggestedFilename()).toBe(file)
      expect((await readFile(await download.path())).toString('latin1')).toContain(content)
    }
  })

  journey('marks the error of a failed run', async () => {
    const runId = await startRun('select 1,\n  missing_column\nfrom orders', 'Faulty')
    await page.goto(`/runs/${runId}`)
    await page.getByRole('alert').getByText('Referenced column "missing_column" not found').waitFor()
    await page.getByRole('alert').getByText('LINE 2:').waitFor()
    await page.locator('details[open]').getByText('missing_column').first().waitFor()
    await expectAccessible(page)
  })

  journey('lists my recent runs', async () => {
    const runId = await startRun('select 5 as five', 'Five')
    await page.goto('/runs')
    await page.getByRole('link', { name: /^Five/ }).first().click()
    await page.waitForURL(`**/runs/${runId}`)
    await page.goto('/runs')
    await page.getByRole('list', { name: 'Runs' }).waitFor()
    await expectAccessible(page)
  })

  journey('follows a run in progress and stops it', async () => {
    const endless = 'select count(*) from range(100000000000) a, range(100000) b where a.range % 7 = b.range % 3 + 9'
    const runId = await startRun(endless, 'Endless')
    await page.goto(`/runs/${runId}`)
    await page.getByText('Running…').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText(/^Stopped by /).waitFor()
    await page.getByText('Stopped', { exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
  })

  journey('fits a phone in dark mode; an unknown run is not found', async () => {
    await visitor.leave()
    await arrive({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
    const runId = await startRun('select * from orders limit 50', 'Orders')
    await page.goto(`/runs/${runId}`)
    await page.getByText('50 rows', { exact: true }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
    await page.goto('/runs/run_unknown')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})
