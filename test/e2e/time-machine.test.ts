import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { newOrganization } from './organization.ts'
import { cellsOf } from './sql.ts'
import { signIn, storeQueryWithReference } from './steps.ts'

/** Earlier results of queries and boards: looking at them, comparing and explaining them. */
let browser: Browser
let visitor: Visitor
let page: Page
let shortId: string
let results: { runId: string; at: string }[]

const sqlOf = (revenue: number) => `select * from (values ('DE', ${revenue}), ('FR', 20)) as t(country, revenue)`

beforeAll(async () => {
  browser = await openBrowser()
  const service = await newOrganization('time-machine')
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
  await signIn(page, service)
  shortId = await storeQueryWithReference(page, { title: 'Revenue', sql: sqlOf(10) })
  await keepResult(1)
  await page.request.patch(`/app/api/references/${shortId}`, { data: { sql: sqlOf(1250) } })
  results = await keepResult(2)
})
afterAll(async () => {
  await visitor?.leave()
  await browser?.close()
})

/** Runs the query and waits until so many results are kept, which are returned newest first. */
async function keepResult(count: number) {
  await page.request.post(`/app/api/references/${shortId}/runs`, { data: { parameterValues: {} } })
  return vi.waitFor(
    async () => {
      const { items } = (await (await page.request.get(`/app/api/references/${shortId}/results`)).json()) as { items: typeof results }
      expect(items).toHaveLength(count)
      return items
    },
    { timeout: 20_000, interval: 100 },
  )
}

test('shows a query as it was, moves between results by keyboard, and returns to the present', async () => {
  await page.goto(`/q/${shortId}?at=${results[1]!.at}`)
  const banner = page.getByRole('complementary', { name: 'Past state' })
  await banner.getByText('You are looking at').waitFor()
  await expect.poll(() => cellsOf(page, 0)).toEqual(['DE', '10'])
  await expectAccessible(page)
  const slider = page.getByRole('slider', { name: 'Result' })
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => cellsOf(page, 0)).toEqual(['DE', '1,250'])
  expect(new URL(page.url()).searchParams.get('at')).toBe(results[0]!.at)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await banner.getByRole('link', { name: 'Back to now' }).click()
  await page.getByRole('button', { name: 'More actions' }).waitFor()
  await page.goto(`/q/${shortId}?at=2001-01-01`)
  await page.getByText('The oldest result that is still kept is from').waitFor()
})

test('compares two results, explains the difference, and pins one', async () => {
  await page.goto(`/q/${shortId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Results over time' }).click()
  await page.getByText('Rows are matched by “country”, which is unique in both results.').waitFor()
  await page.getByText('(+1,240)').first().waitFor()
  await page.getByRole('button', { name: 'Explain the difference' }).click()
  await page.getByText('SQL and Data, which can’t be separated with the results that are kept').waitFor()
  await page.getByRole('table', { name: 'By country' }).getByRole('cell', { name: '+1,240' }).waitFor()
  await page.getByRole('button', { name: /^Pin the result of/ }).first().click()
  await page.getByText('Pinned', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('shows a board as it was', async () => {
  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
  const stored = await page.request.post('/app/api/boards', { data: { title: 'Sales', tiles: [tile] } })
  const board = (await stored.json()) as { shortId: string }
  await page.goto(`/b/${board.shortId}?at=${results[1]!.at}`)
  await page.getByText('You are looking at').waitFor()
  const cells = page.getByRole('grid', { name: 'Revenue' }).getByRole('gridcell')
  await expect.poll(() => cells.allTextContents()).toEqual(expect.arrayContaining(['DE', '10']))
})

test('an admin chooses how long results are kept', async () => {
  await page.goto('/settings/result-history')
  await page.getByLabel('Days').fill('30')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('Limits saved.', { exact: true }).waitFor()
  await page.getByRole('list', { name: 'Queries by space' }).getByRole('link', { name: 'Revenue', exact: true }).waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScrolling(page)
})
