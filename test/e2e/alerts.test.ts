import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startModelServer } from '@querypost/server/testing'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { openAs, storeQueryWithReference } from './steps.ts'

let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('alerts')
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

/** Runs the query and waits until its result can be replayed. The service may run it, too. */
async function runQuery(shortId: string, count: number): Promise<void> {
  await page.request.post(`/app/api/references/${shortId}/runs`, { data: {} })
  const condition = { reference: shortId, kind: 'alert', tests: [{ kind: 'no_rows' }] }
  const resultCount = async () => {
    const backtest = await page.request.post('/app/api/automations/backtest', { data: { condition } })
    return ((await backtest.json()) as { resultCount: number }).resultCount
  }
  await expect.poll(resultCount).toBeGreaterThanOrEqual(count)
}

journey('previews past summaries of the digest, fills in the history of a query, and compares two versions of a condition', async () => {
  await openAs(page, service, '/')
  const shortId = await storeQueryWithReference(page, { title: 'Sold parcels', sql: 'select day({{day}}) as total' })
  const day = { name: 'day', displayName: 'Day', type: 'date', defaultValue: '2026-01-15', description: '' }
  expect((await page.request.patch(`/app/api/references/${shortId}`, { data: { parameters: [day] } })).ok()).toBe(true)
  await runQuery(shortId, 1)

  await page.goto('/automations/new?words=' + encodeURIComponent('Tell me when total in Sold parcels is above 100'))
  const backtest = page.getByRole('region', { name: 'Backtest' })
  await backtest.getByText('It would not have fired over 1 result').waitFor()
  await backtest.getByRole('combobox').selectOption('7')
  await backtest.getByRole('button', { name: 'Fill in history' }).click()
  await backtest.getByText('7 days were filled in.').waitFor({ timeout: 60_000 })
  await expect.poll(() => backtest.getByText('over 8 results').isVisible(), { timeout: 30_000 }).toBe(true)
  await page.getByRole('button', { name: 'Preview past summaries' }).click()
  const summaries = page.getByRole('region', { name: 'Past summaries' })
  await summaries.getByText(/Sold parcels/).first().waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 900 })

  await page.getByRole('button', { name: /^(Create|Save)/ }).click()
  await page.waitForURL(/\/automations\/automation_/)
  await page.getByRole('button', { name: 'Edit' }).click()
  await backtest.getByRole('heading', { name: 'Saved' }).waitFor()
  expect(await backtest.getByRole('heading', { name: 'Edited' }).count()).toBe(0)
  await page.getByLabel('Limit', { exact: true }).fill('0')
  await backtest.getByRole('heading', { name: 'Edited' }).waitFor()
  await backtest.getByText('It would have fired once over 8 results').waitFor()
  await backtest.getByText('It would not have fired over 8 results').waitFor()
})

journey('previews past summaries of the model after an estimate, with edited instructions beside the saved ones', async () => {
  const model = await startModelServer()
  await openAs(page, service, '/')
  const settings = { provider: 'openai_compatible', baseUrl: model.url, model: 'scripted', apiKey: null }
  expect((await page.request.put('/app/api/model-settings', { data: settings })).ok()).toBe(true)
  const shortId = await storeQueryWithReference(page, { title: 'Sent parcels', sql: 'select 42 as total' })
  await runQuery(shortId, 1)
  const automation = { name: 'Parcels', instructions: 'Report the total.', references: [shortId], agent: 'model' }
  const { id } = (await (await page.request.post('/app/api/automations', { data: automation })).json()) as { id: string }

  await page.goto(`/automations/${id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Preview past summaries' }).click()
  const summaries = page.getByRole('region', { name: 'Past summaries' })
  await summaries.getByText('the cost can’t be estimated').waitFor()
  await summaries.getByRole('button', { name: 'Write 1 summary' }).waitFor()
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Report the total in one word.')
  const read = { toolCalls: [{ name: 'read_reference', input: { shortId } }] }
  model.script(read, { text: 'The total of the parcels is **{{r1: total}}**.' }, read, { text: 'Total: {{r1: total}}' })
  await summaries.getByRole('button', { name: 'Write 2 summaries' }).click()
  await summaries.getByText('The total of the parcels is 42.').waitFor()
  await summaries.getByText('Total: 42').waitFor()
  await summaries.getByRole('heading', { name: 'Edited instructions' }).waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoSidewaysScrolling(page)

  model.script('hang')
  await summaries.getByRole('button', { name: 'Write 2 summaries' }).click()
  await model.seen(5)
  await summaries.getByRole('button', { name: 'Cancel' }).click()
  await summaries.getByText('Not written').first().waitFor()
  await model.close()
})

test('sets up an alert with a backtest beside it, fires, shows its state, and is snoozed', async () => {
  await openAs(page, service, '/')
  const shortId = await storeQueryWithReference(page, { title: 'Late parcels', sql: 'select i from range(5) t (i)' })
  await runQuery(shortId, 1)

  await page.goto('/automations/new?template=blank')
  await page.getByLabel('Name', { exact: true }).fill('Parcels')
  await page.getByLabel('Instructions', { exact: true }).fill('Find out why.')
  await page.getByRole('radio', { name: 'As an alert' }).check()
  await page.getByRole('searchbox', { name: 'Query to watch' }).fill('Late parcels')
  await page.getByRole('group', { name: 'Query to watch' }).getByRole('button', { name: 'Late parcels' }).click()
  const backtest = page.getByRole('region', { name: 'Backtest' })
  await backtest.getByText('It would not have fired over 1 result').waitFor()
  await page.getByLabel('Limit', { exact: true }).fill('3')
  await backtest.getByText('It would have fired once over 1 result').waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 900 })

  await page.getByRole('button', { name: /^(Create|Save)/ }).click()
  await page.waitForURL(/\/automations\/automation_/)
  await page.getByText('Not checked yet.').waitFor()
  await runQuery(shortId, 2)
  const card = page.getByRole('region', { name: 'Alert', exact: true })
  await expect.poll(async () => {
    await page.reload()
    await card.waitFor()
    return card.getByText('The number of rows is 5, which is > 3.').first().isVisible()
  }).toBe(true)
  await card.getByText('Firing: Warning').waitFor()

  await card.getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: '8 hours' }).click()
  await card.getByRole('button', { name: 'End snooze' }).waitFor()
  await page.getByRole('link', { name: 'All automations' }).click()
  const item = page.getByRole('link', { name: /Parcels/ })
  await item.getByText(/Firing since/).waitFor()
  await item.getByText('Snoozed').waitFor()
})
