import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { newOrganization, type Organization } from './organization.ts'
import { cellsOf, gridOf, writeSql } from './sql.ts'
import { openAs, signIn, storeQueryWithReference } from './steps.ts'

/** How results are shown: formats of columns, totals, pivot tables, single numbers, and the organization's colors. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('formats')
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
  await signIn(page, service)
})
afterEach(() => visitor.leave())

const phone = { width: 360, height: 740 }
const salesSql = `
  select * from (values
    (date '2025-01-01', 'France', 1200.5, 0.12),
    (date '2025-01-01', 'Germany', 800.25, 0.08),
    (date '2025-02-01', 'France', 1500.0, 0.1),
    (date '2025-03-01', 'Germany', 2400.75, 0.2)
  ) as sales (month, country, revenue, margin)`

async function openSales(title: string, visualization?: object): Promise<string> {
  const shortId = await storeQueryWithReference(page, { title, sql: salesSql })
  if (visualization) {
    const saved = await page.request.patch(`/app/api/references/${shortId}`, { data: { visualization } })
    if (!saved.ok()) throw new Error(`Saving the visualization answered ${saved.status()}.`)
  }
  await page.goto(`/q/${shortId}`)
  await page.getByRole('button', { name: 'Run query' }).click()
  return shortId
}

const totals = () => gridOf(page).getByRole('row', { name: 'Totals' }).getByRole('gridcell').allTextContents()

test('formats the columns of a table for everyone who opens the link', async () => {
  const shortId = await openSales('Sales')
  expect(await cellsOf(page, 0)).toEqual(['Jan 2025', 'France', '1,200.50', '0.12'])
  await page.getByRole('button', { name: 'Format columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Format columns' })
  await dialog.getByLabel('Totals row').check()
  await dialog.getByRole('button', { name: 'Hide month' }).click()
  await dialog.getByRole('button', { name: 'Move country down' }).press('Enter')
  await dialog.getByRole('button', { name: 'margin', exact: true }).click()
  await dialog.getByLabel('Format').selectOption('Percent')
  await dialog.getByLabel('Values are fractions').check()
  await dialog.getByText('Example: 12%').waitFor()
  await dialog.getByLabel('Total', { exact: true }).selectOption('Average')
  await dialog.getByRole('button', { name: 'revenue', exact: true }).click()
  await dialog.getByLabel('Title').fill('Revenue')
  await dialog.getByLabel('Format').selectOption('Currency')
  await dialog.getByLabel('Decimals').selectOption('0')
  await dialog.getByRole('button', { name: 'Add color rule' }).click()
  await dialog.getByRole('group', { name: 'Rule 1' }).getByLabel('Value').fill('1300')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })

  expect(await cellsOf(page, 0)).toEqual(['€1,201', 'France', '12%'])
  expect(await totals()).toEqual(['€5,902', '', 'Avg 12.5%'])
  await page.getByText('Totals of all 4 rows').waitFor()
  const tints = gridOf(page).locator('[role=gridcell][style*="color-mix"]')
  await expect.poll(() => tints.allTextContents()).toEqual(['€1,500', '€2,401'])
  await expectAccessible(page)
  const saved = (await (await page.request.get(`/app/api/references/${shortId}`)).json()) as { visualization: { columns: object[] } }
  expect(saved.visualization).toMatchObject({ type: 'table', hasTotals: true })

  // Sorting, copying and the full value work on the data itself.
  await gridOf(page).getByRole('columnheader', { name: 'Revenue' }).getByRole('button', { name: 'Revenue', exact: false }).first().click()
  expect((await cellsOf(page, 0))[0]).toBe('€800')
  await gridOf(page).getByRole('gridcell', { name: '€800' }).dblclick()
  await page.getByRole('dialog', { name: 'revenue' }).getByText('800.25').waitFor()
  await page.keyboard.press('Escape')

  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await gridOf(page).waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Format columns' }).click()
  await dialog.getByRole('button', { name: 'Show month' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await gridOf(page).getByRole('columnheader', { name: 'month' }).waitFor()
})

test('formats the columns of a query that is being written, from the menu of a column', async () => {
  await openAs(page, service, '/queries/new')
  await writeSql(page, 'select 1234567 as amount')
  await page.keyboard.press('ControlOrMeta+Enter')
  expect(await cellsOf(page, 0)).toEqual(['1,234,567'])
  const header = gridOf(page).getByRole('columnheader', { name: 'amount' })
  await header.hover()
  await header.getByRole('button', { name: 'Column amount' }).click()
  await page.getByRole('menuitem', { name: 'Format column' }).click()
  const dialog = page.getByRole('dialog', { name: 'Format columns' })
  await dialog.getByLabel('Format').selectOption('Number')
  await dialog.getByLabel('Short').check()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await gridOf(page).getByRole('gridcell', { name: '1.2M' }).waitFor()
})

test('shows a pivot table that scrolls inside its box on a phone', async () => {
  const jsxConfig =
    '<PivotTable><PivotRow dataKey="country" /><PivotColumn dataKey="month" /><PivotValue dataKey="revenue" aggregate="sum" /></PivotTable>'
  const columns = [{ name: 'revenue', format: { style: 'currency', currency: 'EUR' }, colors: [{ when: 'scale', from: '#ffffff', to: '#2b7a86' }] }]
  await openSales('Pivot', { type: 'pivot', jsxConfig, columns })
  const table = page.getByRole('region', { name: 'Pivot table' }).getByRole('table')
  await table.waitFor()
  expect(await table.getByRole('row').allInnerTexts()).toEqual([
    'country\tJan 2025\tFeb 2025\tMar 2025\tTotal',
    'Germany\t€800.25\t\t€2,400.75\t€3,201.00',
    'France\t€1,200.50\t€1,500.00\t\t€2,700.50',
    'Total\t€2,000.75\t€1,500.00\t€2,400.75\t€5,901.50',
  ])
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoSidewaysScrolling(page)
  const left = () => table.getByRole('rowheader', { name: 'France' }).evaluate((cell) => cell.getBoundingClientRect().left)
  const before = await left()
  await page.getByRole('region', { name: 'Pivot table' }).evaluate((box) => box.scrollTo({ left: 200 }))
  expect(await left()).toBe(before)
  await expectAccessible(page)
})

test('compares a number with the period before and with its target', async () => {
  const jsxConfig =
    '<NumberChart><Number dataKey="revenue" timeKey="month" compare="previous" target={2000} sparkline={true} /></NumberChart>'
  const columns = [{ name: 'revenue', title: 'Revenue', format: { style: 'currency', currency: 'EUR', decimals: 0 } }]
  await openSales('Number', { type: 'number', jsxConfig, columns })
  await page.getByText('€2,401', { exact: true }).first().waitFor()
  await page.getByText('Revenue · Mar 2025').waitFor()
  await page.getByText('Up, better').waitFor({ state: 'attached' })
  await page.getByText('+60.1%').waitFor()
  await page.getByText('+€901 from €1,500 (Feb 2025)').waitFor()
  await page.getByText('120.0% of the target €2,000 · Reached').waitFor()
  await page.getByRole('img', { name: 'Revenue, 3 periods' }).waitFor()
  await page.getByText('Values with the same month are added up.').waitFor()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
})

test('lets an admin choose the colors of charts', async () => {
  await openAs(page, service, '/settings/organization')
  await page.getByRole('button', { name: 'Choose colors' }).click()
  await page.getByText('These colors can be told apart with color blindness').waitFor()
  await page.getByLabel('Color 2', { exact: true }).fill('#0073b4')
  await page.getByText('Colors 1 and 2 look alike to everyone.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove color 2' }).click()
  await page.getByRole('button', { name: 'Save colors' }).click()
  await page.getByText('Chart colors saved.', { exact: true }).waitFor()
  const session = async () => (await (await page.request.get('/app/api/session')).json()) as { organization: { chartPalette: unknown } }
  expect((await session()).organization.chartPalette).toEqual(['#0072b2', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'])
  await page.getByRole('button', { name: 'Use default colors' }).click()
  await page.getByRole('button', { name: 'Choose colors' }).waitFor()
  expect((await session()).organization.chartPalette).toBeNull()
})
