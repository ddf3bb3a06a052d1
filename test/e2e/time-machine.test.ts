import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization } from './organization.ts'
import { cellsOf } from './sql.ts'
import { signIn, storeAutomation, storeQueryWithReference } from './steps.ts'

/** Earlier results of queries and boards: looking at them, comparing and explaining them. */
let browser: Browser
let visitor: Visitor
let page: Page
let shortId: string
let results: { runId: string; at: string }[]

const sqlOf = (revenue: number) => `select * from (values ('DE', ${revenue}, 1), ('FR', 20, 2)) as t(country, revenue, orders)`

beforeAll(async () => {
  browser = await sharedBrowser()
  const service = await newOrganization('time-machine')
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
  await signIn(page, service)
  shortId = await storeQueryWithReference(page, { title: 'Revenue', sql: sqlOf(10) })
  await keepResult(1)
  await page.request.patch(`/app/api/references/${shortId}`, { data: { sql: sqlOf(1250) } })
  results = await keepResult(2)
})
afterAll(() => visitor?.leave())

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
  await expect.poll(() => cellsOf(page, 0)).toEqual(['DE', '10', '1'])
  await expectAccessible(page)
  const slider = page.getByRole('slider', { name: 'Result' })
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => cellsOf(page, 0)).toEqual(['DE', '1,250', '1'])
  expect(new URL(page.url()).searchParams.get('at')).toBe(results[0]!.at)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await banner.getByRole('link', { name: 'Back to now' }).click()
  await page.getByRole('button', { name: 'More actions' }).waitFor()
  await page.goto(`/q/${shortId}?at=2001-01-01`)
  await page.getByText('The oldest result that is still kept is from').waitFor()
})

journey('compares two results, explains the difference, and pins one', async () => {
  await page.goto(`/q/${shortId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Results over time' }).click()
  await page.getByText('Rows are matched by “country”, which is unique in both results.').waitFor()
  await page.getByText('(+1,240)').first().waitFor()
  await page.getByRole('button', { name: 'Explain the difference' }).click()
  await page.getByText('SQL and data, which can’t be separated with the results that are kept').first().waitFor()
  await page.getByRole('table', { name: 'By country' }).getByRole('cell', { name: '+1,240' }).waitFor()
  await page.getByLabel('Explain', { exact: true }).selectOption('revenue')
  await page.getByLabel('Divided by').selectOption('orders')
  await page.getByRole('heading', { name: 'revenue / orders: 10 → 423.333333333333' }).waitFor()
  await page.getByText(/^revenue contributes \+.*, orders 0$/).waitFor()
  await page.getByRole('button', { name: /^Pin the result of/ }).first().click()
  await page.getByText('Pinned', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
})

journey('shows a board as it was, with the layout of then', async () => {
  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
  const stored = await page.request.post('/app/api/boards', { data: { title: 'Sales', tiles: [tile] } })
  const board = (await stored.json()) as { shortId: string; version: number; updatedAt: string }
  const note = { kind: 'text', text: 'Only a note', x: 0, y: 0, width: 6, height: 2 }
  await page.request.patch(`/app/api/boards/${board.shortId}`, { data: { title: 'Notes', tiles: [note] }, headers: { 'if-match': `"${board.version}"` } })
  await page.goto(`/b/${board.shortId}?at=${board.updatedAt}`)
  await page.getByRole('heading', { name: 'Sales' }).waitFor()
  const cells = page.getByRole('grid', { name: 'Revenue' }).getByRole('gridcell')
  await expect.poll(() => cells.allTextContents()).toEqual(expect.arrayContaining(['DE', '1,250']))
  await page.goto(`/b/${board.shortId}?at=${results[1]!.at}`)
  await page.getByText('The board didn’t exist yet. This is its first layout.').waitFor()
  await expect.poll(() => cells.allTextContents()).toEqual(expect.arrayContaining(['DE', '10']))
})

journey('shows a chat up to a time', async () => {
  const automationId = await storeAutomation(page, { name: 'Daily', sql: 'select 42 as orders' })
  const { id } = (await (await page.request.post(`/app/api/automations/${automationId}/runs`)).json()) as { id: string }
  const { chatShortId } = await vi.waitFor(
    async () => {
      const run = (await (await page.request.get(`/app/api/automation-runs/${id}`)).json()) as { status: string; chatShortId: string }
      expect(run.status).toBe('completed')
      return run
    },
    { timeout: 20_000, interval: 100 },
  )
  const { messages } = (await (await page.request.get(`/app/api/chats/${chatShortId}`)).json()) as { messages: { createdAt: string }[] }
  const summary = page.getByRole('main').getByText('42', { exact: true }).first()
  await page.goto(`/chats/${chatShortId}`)
  await summary.waitFor()
  await page.goto(`/chats/${chatShortId}?at=${messages[0]!.createdAt}`)
  await page.getByRole('complementary', { name: 'Past state' }).waitFor()
  await page.getByRole('heading', { name: 'Daily' }).waitFor()
  expect(await summary.count()).toBe(0)
  await page.getByRole('link', { name: 'Back to now' }).click()
  await summary.waitFor()
})

journey('keeps the results of one query for a shorter time', async () => {
  await page.goto(`/q/${shortId}`)
  const open = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Keep results' }).click()
    return page.getByRole('dialog', { name: 'Keep results' })
  }
  const dialog = await open()
  await dialog.getByText('Your organization keeps results for 90 days.').waitFor()
  await dialog.getByLabel('Days').fill('7')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('Limits saved. They take effect within a day.').first().waitFor()
  expect(await (await open()).getByLabel('Days').inputValue()).toBe('7')
})

journey('an admin chooses how long results are kept', async () => {
  await page.goto('/settings/result-history')
  await page.getByLabel('Days').fill('30')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('Limits saved.', { exact: true }).waitFor()
  await page.getByRole('list', { name: 'Queries by space' }).getByRole('link', { name: 'Revenue', exact: true }).waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScrolling(page)
})
