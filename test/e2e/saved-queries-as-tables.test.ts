import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { cellsOf, editorOf, writeSql } from './sql.ts'
import { openAs, storeAutomation, storeQueryWithReference } from './steps.ts'

/** Queries that read other saved queries, and lineage. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('tables')
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

test('reads a saved query as a table, shows what it read, what uses it, and asks before that is deleted', async () => {
  await openAs(page, service, '/queries/new')
  const shortId = await storeQueryWithReference(page, { title: 'Orders by channel', sql: 'select channel, count(*) as orders from orders group by 1' })
  await page.getByLabel('Database').selectOption('Saved queries')
  await page.getByRole('complementary', { name: 'Tables' }).getByRole('button', { name: 'Orders by channel', exact: true }).waitFor()

  await writeSql(page, 'select max(r.orders) > 0 as has_orders from ')
  await editorOf(page).press('End')
  await page.keyboard.type('Orders')
  await page.getByRole('option', { name: /Orders by channel/ }).click()
  await page.keyboard.type(' r')
  await expect.poll(() => editorOf(page).innerText()).toContain(`from ref('${shortId}') r`)
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('1 row', { exact: true }).waitFor()
  expect(await cellsOf(page, 0)).toEqual(['true'])

  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save query' })
  await dialog.getByLabel('Title').fill('Has orders')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/q\/\w{10}$/)
  await page.getByRole('list', { name: 'Inputs' }).getByRole('link', { name: /result from/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('list', { name: 'Inputs' }).getByRole('link', { name: 'Orders by channel' }).click()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Lineage' }).click()
  await page.getByRole('region', { name: 'Used by' }).getByRole('link', { name: 'Has orders' }).waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await page.getByRole('region', { name: 'Reads' }).getByRole('link', { name: 'main.orders' }).click()
  await page.getByRole('region', { name: 'Used by' }).getByText('through Orders by channel').waitFor()
  await page.getByLabel('Column').selectOption('rating')
  await page.getByText('No saved query uses this column.').waitFor()

  await page.goto(`/q/${shortId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete query' }).click()
  const asking = page.getByRole('alertdialog', { name: 'Delete “Orders by channel”?' })
  await asking.getByRole('link', { name: 'Has orders' }).waitFor()
  await expectAccessible(page)
  await asking.getByRole('button', { name: 'Cancel' }).click()
})

journey('shows what a board and an automation read', async () => {
  await openAs(page, service, '/boards')
  const sql = 'select channel, count(*) as orders from orders group by 1'
  const referenceShortId = await storeQueryWithReference(page, { title: 'Orders on the board', sql })
  const tile = { kind: 'reference', referenceShortId, x: 0, y: 0, width: 6, height: 4 }
  const stored = await page.request.post('/app/api/boards', { data: { title: 'Orders', tiles: [tile] } })
  const { shortId } = (await stored.json()) as { shortId: string }
  const automationId = await storeAutomation(page, { name: 'Daily orders', sql })
  const lineage = page.getByRole('dialog', { name: 'Lineage' })
  async function open(path: string, reads: string) {
    await page.goto(path)
    await page.getByRole('button', { name: 'More actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Lineage' }).click()
    await lineage.getByRole('link', { name: reads }).waitFor()
    await expectAccessible(page)
  }

  await open(`/b/${shortId}`, 'Orders on the board')
  await page.keyboard.press('Escape')
  await lineage.waitFor({ state: 'hidden' })
  await open(`/automations/${automationId}`, 'Daily orders: its query')
  await lineage.getByText('channel', { exact: true }).waitFor()
})
