import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { expectOnLineOf } from './layout.ts'
import { newOrganization, type Organization } from './organization.ts'
import { cellsOf, editorOf, writeSql } from './sql.ts'
import { openAs, signIn, storeQueryWithReference } from './steps.ts'

/** Reading, editing, sharing and deleting a permalink. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('permalink')
})
const permissions = ['clipboard-read', 'clipboard-write']
const arrive = (options = {}) => visit(browser, { baseURL: service.baseUrl, permissions, ...options })
beforeEach(async () => {
  visitor = await arrive()
  page = visitor.page
  await signIn(page, service)
})
afterEach(() => visitor.leave())

const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const store = (title: string, sql: string) => storeQueryWithReference(page, { title, sql })
const change = (shortId: string, data: object) => page.request.patch(`/app/api/references/${shortId}`, { data })

journey('edits title and description in place and keeps the input when saving fails', async () => {
  const shortId = await store('Sales', 'select 1 as n')
  await page.goto(`/q/${shortId}`)
  await heading('Sales').click()
  const title = page.getByRole('textbox', { name: 'Title' })
  const pencil = (name: string) => page.getByRole('button', { name: `Edit ${name}` })
  await title.fill('Never mind')
  await title.press('Escape')
  await heading('Sales').waitFor()
  await expectOnLineOf(pencil('title'), heading('Sales'))
  await expectOnLineOf(pencil('description'), page.getByText('Add a description'))

  const url = `**/app/api/references/${shortId}`
  visitor.expectErrors(/ERR_FAILED/)
  await page.route(url, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
  await pencil('title').click()
  await title.fill('Sales of the year')
  await title.press('Enter')
  await page.getByRole('alert').getByText('Not saved. The service cannot be reached.').waitFor()
  await expect.poll(() => title.inputValue()).toBe('Sales of the year')
  await expectAccessible(page)
  await page.unroute(url)
  await title.press('Enter')
  await heading('Sales of the year').waitFor()

  await pencil('description').click()
  await page.getByRole('textbox', { name: 'Description' }).fill('All of them.\nReally.')
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('All of them.').waitFor()
  await saved
  await page.reload()
  await heading('Sales of the year').waitFor()
  await page.getByText('All of them.').waitFor()
})

journey('saves a chart for everyone who opens the link', async () => {
  const shortId = await store('By channel', 'select channel, count(*) as orders from orders group by channel order by channel')
  await page.goto(`/q/${shortId}`)
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByRole('button', { name: 'Edit chart' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit chart' })
  await dialog.getByText('Bar', { exact: true }).click()
  await dialog.locator('[data-chart]').first().waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save chart' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('tabpanel', { name: 'Chart' }).locator('[data-chart]').first().waitFor()
  await expectAccessible(page)
  // The tabs already lead to the table.
  expect(await page.getByRole('button', { name: 'Show as table' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Table', exact: true }).click()
  await page.getByRole('grid').waitFor()
  const saved = (await (await page.request.get(`/app/api/references/${shortId}`)).json()) as { visualization: object }
  expect(saved.visualization).toMatchObject({ type: 'bar' })
})

test('a link with values shows others the same result and the executed SQL', async () => {
  const shortId = await store('Numbers', 'select i as n from range({{most}}) r (i)')
  await change(shortId, { parameters: [{ name: 'most', type: 'number', displayName: 'Most', defaultValue: '2' }] })
  await page.goto(`/q/${shortId}`)
  await page.getByLabel('Most', { exact: true }).fill('5')
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByText('5 rows', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Copy link' }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${service.baseUrl}/q/${shortId}?most=5`)
  // Run with another value in between.
  await page.getByLabel('Most', { exact: true }).fill('1')
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByText('1 row', { exact: true }).waitFor()

  const other = await arrive({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
  await openAs(other.page, service, new URL(link).pathname + new URL(link).search)
  await other.page.getByText('5 rows', { exact: true }).waitFor()
  await other.page.getByText('Last refreshed').waitFor()
  await other.page.getByText('Executed SQL').click()
  await other.page.getByText('range((5))').or(other.page.getByText('range(5)')).first().waitFor()
  await expectNoSidewaysScrolling(other.page)
  await expectAccessible(other.page)
  // On a phone the result comes before the controls, which are folded; editing starts in the menu.
  const top = async (name: string) => (await other.page.getByRole('region', { name, exact: true }).boundingBox())!.y
  expect(await top('Result')).toBeLessThan(await top('Actions'))
  expect(await other.page.getByLabel('Most', { exact: true }).isVisible()).toBe(false)
  await other.page.getByRole('button', { name: /^Parameters: Most: 5/ }).click()
  await other.page.getByLabel('Most', { exact: true }).waitFor()
  expect(await other.page.getByRole('button', { name: 'Edit title' }).count()).toBe(0)
  await other.page.getByRole('button', { name: 'More actions' }).click()
  await other.page.getByRole('menuitem', { name: 'Edit details' }).click()
  await expectOnLineOf(other.page.getByRole('button', { name: 'Edit title' }), other.page.getByRole('heading', { name: 'Numbers' }))
  await expectOnLineOf(other.page.getByRole('button', { name: 'Settings for Most' }), other.page.locator('label', { hasText: 'Most' }))
  await other.leave()
})

journey('offers date ranges, several values, and options that depend on each other', async () => {
  const places = "(values ('DE', 'Germany', 'Berlin'), ('DE', 'Germany', 'Bonn'), ('FR', 'France', 'Paris'), ('IT', 'Italy', 'Rome')) v (code, country, city)"
  const placesId = await store('Places', `select code, country, city, code as countries from ${places}`)
  const shortId = await store(
    'Visits',
    `select city, ({{period.end}} - {{period.start}}) + 1 as days from ${places} where code in ({{countries}}) and city like '%{{city}}' order by city`,
  )
  const options = { referenceShortId: placesId, valueColumn: 'code', labelColumn: 'country' }
  await change(shortId, {
    parameters: [
      { name: 'period', type: 'dateRange', displayName: 'Period', defaultValue: 'last 30 days' },
      { name: 'countries', type: 'text', isList: true, displayName: 'Countries', options },
      { name: 'city', type: 'text', displayName: 'City', options: { referenceShortId: placesId, valueColumn: 'city', dependsOn: ['countries'] } },
    ],
  })
  await page.goto(`/q/${shortId}`)
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByRole('alert').getByText('Choose a value for “Countries”.').waitFor()

  // The query of the options runs by itself. The list works with the keyboard alone.
  const countries = page.getByRole('combobox', { name: 'Countries' })
  await countries.focus()
  await countries.press('ArrowDown')
  await page.getByRole('option', { name: 'Germany' }).waitFor()
  await countries.press('Enter')
  await countries.fill('fra')
  await expect.poll(() => page.getByRole('listbox').getByRole('option').allTextContents()).toEqual(['France'])
  await countries.press('ArrowDown')
  await countries.press('Enter')
  await page.getByRole('button', { name: 'Remove France' }).waitFor()
  await expectAccessible(page)
  await countries.fill('')
  await countries.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  const cities = page.getByLabel('City', { exact: true }).locator('option')
  await expect.poll(() => cities.allTextContents()).toEqual(['None', 'Berlin', 'Bonn', 'Paris'])

  // The settings offer the columns of that query's result.
  await page.getByRole('button', { name: 'Settings for City' }).click()
  const settings = page.getByRole('dialog', { name: /city/ })
  const columnsOf = (label: string) => settings.getByLabel(label).locator('option').allTextContents()
  await expect.poll(() => columnsOf('Column with the values')).toEqual(['Choose…', 'code', 'country', 'city', 'countries'])
  await settings.getByLabel('Column with the labels').selectOption('country')
  await settings.getByLabel('Column with the labels').selectOption({ label: 'Same as the values' })
  await expectAccessible(page)
  await settings.getByRole('button', { name: 'Save parameter' }).click()
  await settings.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: /^Period Last 30 days / }).click()
  const ranges = page.getByRole('dialog', { name: 'Period' })
  await ranges.getByText('Previous period:').waitFor()
  await expectAccessible(page)
  await ranges.getByLabel('Count').fill('5')
  await ranges.getByLabel('Count').press('Enter')
  await ranges.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Period Last 5 days / }).waitFor()
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByText('3 rows', { exact: true }).waitFor()
  expect([await cellsOf(page, 0), await cellsOf(page, 2)]).toEqual([['Berlin', '5'], ['Paris', '5']])
  const { search } = new URL(page.url())
  expect(search).toBe('?period=last+5+days&countries=DE&countries=FR')

  const other = await arrive({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
  await openAs(other.page, service, `/q/${shortId}${search}`)
  await other.page.getByText('3 rows', { exact: true }).waitFor()
  await other.page.getByText(/^Period: .*\d{4}$/).waitFor()
  await other.page.getByRole('button', { name: /^Parameters: Period: Last 5 days · Countries: / }).click()
  await other.page.getByRole('button', { name: 'Remove Germany' }).click()
  await other.page.getByRole('combobox', { name: 'Countries' }).click()
  await other.page.getByRole('button', { name: 'All', exact: true }).click()
  await other.page.getByRole('button', { name: 'Remove Italy' }).waitFor()
  await expectNoSidewaysScrolling(other.page)
  await expectAccessible(other.page)
  await other.leave()
})

journey('splits a chart whose rows share a category, and saves it', async () => {
  const months = "(values ('2025-01-01', 'Spain', 3), ('2025-01-01', 'Italy', 2), ('2025-02-01', 'Spain', 4), ('2025-02-01', 'Italy', 1))"
  const shortId = await store('Shared months', `select month::date as month, country, orders from ${months} v (month, country, orders)`)
  const jsxConfig = '<LineChart><XAxis dataKey="month" /><YAxis /><Line dataKey="orders" /></LineChart>'
  await change(shortId, { visualization: { type: 'line', jsxConfig, marginConfig: {} } })
  await page.goto(`/q/${shortId}`)
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByRole('button', { name: 'Split by country' }).click()
  await page.getByText('Split by country. Only you see this until you save the chart.').waitFor()
  await page.getByRole('list', { name: 'Series' }).getByRole('button', { name: 'Spain' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo split' }).click()
  await page.getByRole('button', { name: 'Split by country' }).click()
  await page.getByRole('button', { name: 'Save chart' }).click()
  await page.getByRole('button', { name: 'Save chart' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('list', { name: 'Series' }).getByRole('button', { name: 'Italy' }).waitFor()
})

journey('changes parameter settings and rejects invalid ones', async () => {
  const shortId = await store('Settings', 'select {{day}} as day')
  await change(shortId, { parameters: [{ name: 'day', type: 'text', displayName: 'Day', defaultValue: 'x' }] })
  await page.goto(`/q/${shortId}`)
  const gear = page.getByRole('button', { name: 'Settings for Day' })
  await expectOnLineOf(gear, page.locator('label', { hasText: 'Day' }))
  await gear.click()
  const settings = page.getByRole('dialog', { name: 'Parameter {{day}}' })
  await settings.getByLabel('Type').selectOption('Date')
  await settings.getByRole('button', { name: 'Save' }).click()
  await settings.getByRole('alert').getByText('Does not fit the type date').waitFor()
  await settings.getByLabel('Default value').fill('2026-01-31')
  await settings.getByLabel('Choose from').selectOption('A fixed list')
  await settings.getByLabel('Options').fill('2026-01-31 = End of January\nsome day')
  await settings.getByRole('button', { name: 'Save' }).click()
  await settings.locator('.field', { has: page.getByLabel('Options') }).getByText('Does not fit the type date').waitFor()
  await settings.getByLabel('Options').fill('2026-01-31 = End of January\n2026-02-28')
  await expectAccessible(page)
  await settings.getByRole('button', { name: 'Save' }).click()
  await settings.waitFor({ state: 'detached' })
  await page.reload()
  await expect.poll(() => page.getByLabel('Day', { exact: true }).inputValue()).toBe('2026-01-31')
  await expect.poll(() => page.getByLabel('Day', { exact: true }).locator('option').allTextContents()).toEqual(['End of January', '2026-02-28'])
})

journey('moves only this reference to the edited SQL and shows its result', async () => {
  const shortId = await store('Moves', 'select 1 as one')
  const stored = await page.request.get(`/app/api/references/${shortId}`)
  const { currentQuery } = (await stored.json()) as { currentQuery: { id: string } }
  const data = { queryId: currentQuery.id, title: 'Stays' }
  const other = (await (await page.request.post('/app/api/references', { data })).json()) as { shortId: string }
  await page.goto(`/q/${shortId}`)
  await page.getByRole('link', { name: 'Edit SQL' }).click()
  await editorOf(page).waitFor()
  await writeSql(page, 'select 2 as two')
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByRole('columnheader', { name: /^two/ }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await heading('Moves').waitFor()
  await page.getByRole('columnheader', { name: /^two/ }).waitFor()
  expect(await cellsOf(page, 0)).toEqual(['2'])
  await page.goto(`/q/${other.shortId}/edit`)
  await page.getByText('select 1 as one').waitFor()
  await expectAccessible(page)
})

journey('a reserved permalink shows the query once it is written', async () => {
  const reserved = await page.request.post('/app/api/references', { data: { title: 'Soon' } })
  const { shortId } = (await reserved.json()) as { shortId: string }
  await page.goto(`/q/${shortId}`)
  await page.getByText('This query is being written').waitFor()
  await expectAccessible(page)
  const { items } = (await (await page.request.get('/app/api/databases')).json()) as { items: { id: string }[] }
  await change(shortId, { sql: 'select 3 as three', analyticalDatabaseConfigId: items[0]!.id })
  await heading('No results yet').waitFor()
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByText('1 row', { exact: true }).waitFor()
})

test('builds a chart, keeps it, and serves its image only to members', async () => {
  const sql = 'select channel, count(*) as orders, sum(amount) as revenue from orders group by channel order by channel'
  const shortId = await store('Orders by channel', sql)
  await page.goto(`/q/${shortId}`)
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByRole('button', { name: 'Edit chart' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit chart' })
  for (const [type, mark] of [['Line', '[data-chart="line"]'], ['Area', '[data-chart="area"]'], ['Bar', '[data-chart="bar"]']]) {
    await dialog.getByText(type!, { exact: true }).click()
    await dialog.locator(mark!).first().waitFor()
  }
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save chart' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.reload()
  await page.locator('[data-chart="bar"]').first().waitFor()
  await expectAccessible(page)

  const picture = await page.request.get(`/q/${shortId}/chart.png`)
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png'])
  expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe('Orders by channel')
  const stranger = await arrive()
  expect((await stranger.page.request.get(`/q/${shortId}/chart.png`)).status()).toBe(404)
  expect(await (await stranger.page.request.get(`/q/${shortId}`)).text()).not.toContain('Orders by channel')
  await stranger.leave()
})

journey('undoes a deletion; after the next one the link answers 404', async () => {
  const shortId = await store('Short-lived', 'select 1 as n')
  await page.goto(`/q/${shortId}`)
  const remove = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted “Short-lived”.').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/queries')
  }
  await remove()
  expect((await page.request.get(`/app/api/references/${shortId}`)).status()).toBe(404)
  await page.getByRole('button', { name: 'Undo' }).click()
  await heading('Short-lived').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/q/${shortId}`)
  await remove()
  expect((await page.goto(`/q/${shortId}`))?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await expectAccessible(page)
})

journey('compares versions side by side, restores one and undoes that', async () => {
  const shortId = await store('Sales', 'select 1 as n\nlimit 10')
  await change(shortId, { title: 'Sales today', sql: 'select 1 as n\nlimit 20' })
  await page.goto(`/q/${shortId}`)
  const history = page.getByRole('dialog', { name: 'Version history' })
  const openHistory = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Version history' }).click()
    await history.getByText('Renamed to “Sales today”').first().waitFor()
  }
  await openHistory()
  await history.getByText('Compare with version 1').click()
  const sql = history.getByRole('table', { name: 'SQL, before and after' })
  await sql.locator('ins').waitFor()
  await expect.poll(() => sql.locator('del, ins').allTextContents()).toEqual(['10', '20'])
  await history.getByRole('table', { name: 'Settings, before and after' }).getByText('Title: Sales').first().waitFor()
  await expectAccessible(page)
  // The list of versions is loaded again before the query is: what Undo returns to must not depend on that order.
  await page.route(
    `**/app/api/references/${shortId}`,
    async (route) => {
      await history.getByText('Restored from version 1').waitFor()
      await route.continue()
    },
    { times: 1 },
  )
  await history.getByRole('button', { name: 'Restore version 1' }).click()
  await heading('Sales').waitFor()
  await page.getByText('Restored version 1.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await heading('Sales today').waitFor()

  await page.setViewportSize({ width: 390, height: 780 })
  await openHistory()
  await history.getByText('Restored from version 2').waitFor()
  await history.getByText('Compare with version 1').click()
  await sql.getByText('Removed: ').waitFor({ state: 'attached' })
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
})

journey('publishes changes, with the key and the latest changes in view', async () => {
  const shortId = await store('Customers', 'select 1 as id')
  const url = `/app/api/references/${shortId}`
  const run = async () => expect((await page.request.post(`${url}/runs`, { data: {} })).status()).toBe(202)
  await run()
  await expect.poll(async () => (await (await page.request.get(`${url}/results`)).json()).items.length).toBe(1)
  await page.goto(`/q/${shortId}`)
  const feed = page.getByRole('dialog', { name: 'Publish changes' })
  const open = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Publish changes' }).click()
  }
  await open()
  await feed.getByRole('switch', { name: 'Publish changes' }).click()
  await feed.getByText('Inferred from the data.').waitFor()
  const key = feed.getByRole('textbox', { name: 'Key columns' })
  await expect.poll(() => key.inputValue()).toBe('id')
  await feed.getByText('No changes yet.').waitFor()

  visitor.expectErrors(/400/)
  await key.fill('nothing')
  await feed.getByRole('button', { name: 'Save key' }).click()
  await feed.getByText('does not have all of the key columns').waitFor()
  await expectAccessible(page)

  await change(shortId, { sql: 'select 2 as id' })
  await run()
  await expect.poll(async () => (await (await page.request.get(`${url}/change-feed`)).json()).latestNumber).toBe(1)
  await page.reload()
  await open()
  await feed.getByText('1 added, 1 removed, 0 changed').waitFor()
})
