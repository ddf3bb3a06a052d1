import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { newOrganization, type Organization } from './organization.ts'
import { cellsOf, editorOf, writeSql } from './sql.ts'
import { openAs, storeQueryWithReference } from './steps.ts'

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
