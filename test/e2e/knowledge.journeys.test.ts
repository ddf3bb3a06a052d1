import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '@querypost/server/testing'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { newOrganization, type Organization } from './organization.ts'
import { joinAsMember, openAs, signIn } from './steps.ts'

/** What agents know, in a real browser, with the sample shop and a scripted model. */
let service: Organization
let browser: Browser
let model: ModelServer
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  model = await startModelServer()
  service = await newOrganization('knowledge')
})
afterAll(() => model?.close())
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

const phone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 900 }
const tab = (name: string | RegExp) => page.getByRole('tab', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })
const list = (name: string) => page.getByRole('list', { name, exact: true })

test('shows what is known about the sample shop, on a phone, too', async () => {
  await openAs(page, service, '/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Knowledge' }).click()
  await page.getByRole('region', { name: 'Sample shop' }).getByText('The shop has orders of the last two years').waitFor()
  await expectAccessible(page)
  await page.setViewportSize(phone)
  for (const [name, shown] of [
    ['Metrics', 'Net revenue'],
    ['Verified queries', 'Revenue by week'],
    ['Tables', 'main.customers'],
    ['Suggestions', 'No open suggestions'],
    ['History', 'Metric Refund rate'],
  ] as const) {
    await tab(name).click()
    await page.getByText(shown).first().waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
  }
  await page.goto('/knowledge/unknown')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

test('an admin changes instructions, metrics and descriptions, on a phone, too, and restores an earlier version', async () => {
  await openAs(page, service, '/knowledge')
  const instructions = page.getByRole('form', { name: 'Instructions for all databases' })
  await instructions.getByRole('textbox').fill('Weeks start on Monday.')
  await instructions.getByRole('button', { name: 'Save' }).click()
  await instructions.getByText('Changed by').waitFor()

  await tab('Metrics').click()
  await button('Add metric').click()
  await dialog('Add metric').getByRole('button', { name: 'Save metric' }).click()
  await dialog('Add metric').getByText(/must have 1 to 100 characters/i).waitFor()
  await expectAccessible(page)
  await dialog('Add metric').getByLabel('Name', { exact: true }).fill('Order count')
  await dialog('Add metric').getByLabel('SQL', { exact: true }).last().fill('select count(*) from orders')
  await dialog('Add metric').getByRole('button', { name: 'Save metric' }).click()
  await list('Metrics').getByRole('heading', { name: 'Order count' }).waitFor()
  await button('Delete Order count').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete metric' }).click()
  await list('Metrics').getByRole('heading', { name: 'Order count' }).waitFor({ state: 'detached' })

  await tab('Tables').click()
  await page.getByRole('searchbox', { name: 'Search tables' }).fill('newsletter')
  await expect.poll(() => list('Tables').getByRole('listitem').count()).toBe(1)
  await button('Describe main.customers').click()
  const sheet = dialog('Describe main.customers')
  // The database's own comment is the placeholder.
  await sheet.getByPlaceholder('Whether the customer receives the newsletter.').fill('Opted in by e-mail.')
  await sheet.getByRole('button', { name: 'Save descriptions' }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Search tables' }).fill('opted in')
  await list('Tables').getByText('main.customers').waitFor()

  // The same on a phone.
  await page.setViewportSize(phone)
  await button('Describe main.customers').click()
  await sheet.getByLabel('Table', { exact: true }).fill('One row per customer.')
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await sheet.getByRole('button', { name: 'Save descriptions' }).click()
  await sheet.waitFor({ state: 'detached' })
  await list('Tables').getByText('One row per customer.').waitFor()
  await tab('Metrics').click()
  await button('Edit Refund rate').click()
  const edited = dialog('Edit Refund rate')
  await edited.getByLabel('Description', { exact: true }).fill('Refunded orders among all orders.')
  await edited.getByLabel('A saved query').check()
  await edited.getByLabel('SQL', { exact: true }).first().check()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await edited.getByRole('button', { name: 'Save metric' }).click()
  await edited.waitFor({ state: 'detached' })
  await list('Metrics').getByText('Refunded orders among all orders.').waitFor()
  await page.setViewportSize(desktop)

  await tab('History').click()
  await list('Changes').getByText(/^Deleted by/).first().waitFor()
  await button('Restore version 1 of Metric Order count').click()
  await list('Changes').getByText(/^Version 1 restored by/).waitFor()
  await tab('Metrics').click()
  await list('Metrics').getByRole('heading', { name: 'Order count' }).waitFor()
})

test('marks a query as verified where people find it, until its SQL changes', async () => {
  await openAs(page, service, '/queries')
  await page.getByRole('link', { name: /Top products/ }).first().click()
  await page.getByRole('heading', { name: 'Top products' }).waitFor()
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Verify query' }).click()
  await page.getByText(/^Verified by/).waitFor()
  await expectAccessible(page)
  const shortId = new URL(page.url()).pathname.split('/').at(-1)!
  await page.goto('/queries')
  await page.getByRole('link', { name: /Top products Verified/ }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('top products')
  await page.getByRole('option', { name: /Top products Verified query/ }).waitFor()
  await page.request.patch(`/app/api/references/${shortId}`, { data: { sql: 'select 1 as one' } })
  await page.goto(`/q/${shortId}`)
  await page.getByText('SQL changed since it was verified').waitFor()
  await page.goto('/knowledge/verified-queries')
  await button('Verify Top products again').click()
  await button('Verify Top products again').waitFor({ state: 'detached' })

  // The same on a phone.
  await page.setViewportSize(phone)
  await page.goto('/queries')
  await page.getByRole('link', { name: /Biggest orders/ }).first().click()
  await page.getByRole('heading', { name: 'Biggest orders' }).waitFor()
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Verify query' }).click()
  await page.getByText(/^Verified by/).waitFor()
  await expectNoSidewaysScrolling(page)
  await page.goto('/knowledge/verified-queries')
  await page.getByRole('link', { name: 'Biggest orders' }).waitFor()
  await expectNoSidewaysScrolling(page)
})

test('an answer says what it used; a member teaches, and an admin accepts, on a phone, too', async () => {
  await signIn(page, service)
  const settings = { provider: 'openai_compatible', baseUrl: model.url, model: 'scripted', apiKey: 'secret' }
  await page.request.put('/app/api/model-settings', { data: settings })
  const member = await visit(browser, { baseURL: service.baseUrl })
  await joinAsMember(member.page, page, { name: 'Grace' })
  model.script({ text: 'As scripted.' }, { text: 'Understood.' })
  await member.page.goto('/ask')
  await member.page.getByRole('textbox', { name: 'Ask about your data' }).fill('What was our turnover last week?')
  await member.page.keyboard.press('Enter')
  const messages = member.page.getByRole('list', { name: 'Messages' })
  // The steps move below the answer when it arrives.
  await messages.locator('[data-kind=answer]').getByText('As scripted.').waitFor()
  await messages.getByText(/^Used: metric Net revenue, /).click()
  await messages.getByRole('list', { name: 'Knowledge used' }).getByRole('link', { name: 'Net revenue' }).waitFor()
  await expectAccessible(member.page)
  const correction = 'Turnover never includes gifts.'
  await member.page.getByRole('textbox', { name: 'Ask a follow-up question' }).fill(correction)
  await member.page.keyboard.press('Enter')
  await messages.getByText('Understood.').waitFor()
  // The correction is proposed in the member's own words.
  await member.page.getByRole('button', { name: 'Teach' }).first().click()
  const form = member.page.getByRole('dialog', { name: 'Teach agents' })
  await expect.poll(() => form.getByLabel('Agents should know').inputValue()).toBe(correction)
  await expectAccessible(member.page)
  await form.getByRole('button', { name: 'Send suggestion' }).click()
  await form.waitFor({ state: 'detached' })
  await member.page.setViewportSize(phone)
  await member.page.getByRole('button', { name: 'Teach' }).last().click()
  await form.getByLabel('Agents should know').fill('Gifts have no price.')
  await expectAccessible(member.page)
  await expectNoSidewaysScrolling(member.page)
  await form.getByRole('button', { name: 'Send suggestion' }).click()
  await form.waitFor({ state: 'detached' })
  await member.page.goto('/knowledge/suggestions')
  await member.page.getByText(correction).waitFor()
  await member.page.getByText('Gifts have no price.').waitFor()
  await expectNoSidewaysScrolling(member.page)
  expect(await member.page.getByRole('button', { name: /Accept/ }).count()).toBe(0)
  await member.leave()

  await page.goto('/knowledge')
  await tab('Suggestions 2').click()
  const taught = page.getByRole('listitem').filter({ hasText: correction })
  await taught.getByRole('button', { name: 'Accept…' }).click()
  await dialog('Accept suggestion').getByLabel('Agents should know').fill('Turnover excludes gifts.')
  await expectAccessible(page)
  await dialog('Accept suggestion').getByRole('button', { name: 'Accept suggestion' }).click()
  await taught.waitFor({ state: 'detached' })
  await page.setViewportSize(phone)
  await button('Accept…').click()
  await expect.poll(() => dialog('Accept suggestion').getByLabel('Agents should know').inputValue()).toBe('Gifts have no price.')
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await dialog('Accept suggestion').getByRole('button', { name: 'Accept suggestion' }).click()
  await page.getByText('No open suggestions').waitFor()
  await page.getByText('Decided suggestions').click()
  await expect.poll(() => list('Decided suggestions').getByText('Accepted', { exact: true }).count()).toBe(2)
  await expectNoSidewaysScrolling(page)
  await tab('Instructions').click()
  const instructions = page.getByRole('form', { name: 'Instructions for all databases' }).getByRole('textbox')
  await expect.poll(() => instructions.inputValue()).toMatch(/- Turnover excludes gifts\.\n- Gifts have no price\.$/)
})

test('runs the questions before a change is saved, and shows what would become better, on a phone, too', async () => {
  await signIn(page, service)
  const settings = { provider: 'openai_compatible', baseUrl: model.url, model: 'scripted', apiKey: 'secret' }
  await page.request.put('/app/api/model-settings', { data: settings })
  const databases = (await (await page.request.get('/app/api/databases')).json()) as { items: { id: string }[] }
  const databaseId = databases.items[0]!.id
  const question = { text: 'How many pairs are there?', databaseId, expectedSql: 'select 1 as pairs', expectedRows: null, isOrdered: false, tolerance: 0 }
  await page.request.post('/app/api/question-sets', { data: { name: 'Pairs', questions: [question] } })
  const willAnswer = (pairs: number) =>
    model.script({ toolCalls: [{ name: 'run_sql', input: { databaseId, sql: `select ${pairs} as pairs` } }] }, { text: 'Done.' })
  const form = page.getByRole('form', { name: 'Instructions for all databases' })
  const questions = dialog('Run the questions first')
  const seeBetter = async () => {
    await questions.getByLabel('Question set').selectOption({ label: 'Pairs (1)' })
    await questions.getByRole('button', { name: 'Run questions' }).click()
    await questions.getByText('1 better, 0 worse, 0 the same').waitFor()
  }
  await page.setViewportSize(phone)
  await page.goto('/knowledge')
  await form.waitFor()
  const before = await form.getByRole('textbox').inputValue()
  await form.getByRole('textbox').fill('A pair is two of the same.')
  await form.getByRole('button', { name: 'Run the questions first' }).click()
  await questions.waitFor()
  await expectAccessible(page)
  // Without the change first, then with it.
  willAnswer(2)
  willAnswer(1)
  await seeBetter()
  await questions.getByRole('list', { name: 'What would change' }).getByText('Better').waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await questions.getByRole('button', { name: 'Discard change' }).click()
  await questions.waitFor({ state: 'detached' })
  await expect.poll(() => form.getByRole('textbox').inputValue()).toBe(before)

  // The knowledge is the same, so that the questions are only asked with the change.
  await page.setViewportSize(desktop)
  await tab('Metrics').click()
  await button('Edit Net revenue').click()
  await dialog('Edit Net revenue').getByLabel('Description', { exact: true }).fill('Revenue of pairs.')
  await dialog('Edit Net revenue').getByRole('button', { name: 'Run the questions first' }).click()
  willAnswer(1)
  await seeBetter()
  await questions.getByRole('button', { name: 'Discard change' }).click()
  await dialog('Edit Net revenue').waitFor({ state: 'detached' })
  await button('Edit Net revenue').waitFor()
  expect(await list('Metrics').getByText('Revenue of pairs.').count()).toBe(0)

  await page.setViewportSize(phone)
  await tab('Instructions').click()
  await form.getByRole('textbox').fill('A pair is two of the same.')
  await form.getByRole('button', { name: 'Run the questions first' }).click()
  willAnswer(1)
  await seeBetter()
  await questions.getByRole('button', { name: 'Save change' }).click()
  await page.getByText('Instructions saved.', { exact: true }).waitFor()

  // Without running the questions, the change stays as it is.
  await form.getByRole('textbox').fill('Something else.')
  await form.getByRole('button', { name: 'Run the questions first' }).click()
  await questions.getByRole('button', { name: 'Cancel' }).click()
  await questions.waitFor({ state: 'detached' })
  await expect.poll(() => form.getByRole('textbox').inputValue()).toBe('Something else.')
})

test('an admin uploads the artifacts of a dbt project, and deletes the import', async () => {
  const artifact = (name: string, content: object) => ({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) })
  const manifest = {
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json', project_name: 'jaffle' },
    nodes: { 'model.jaffle.orders': { resource_type: 'model', name: 'orders', schema: 'main', description: 'One row per order, from dbt.' } },
    metrics: { 'metric.jaffle.basket': { name: 'basket', label: 'Basket size', type: 'derived', type_params: { expr: 'revenue / orders' } } },
  }
  await openAs(page, service, '/knowledge/tables')
  await page.getByText('main.orders').first().waitFor()
  const projects = page.getByRole('region', { name: 'dbt projects' })
  await projects.getByRole('button', { name: 'Import dbt project' }).click()
  const files = [artifact('manifest.json', manifest), artifact('catalog.json', { nodes: {} })]
  await dialog('Import dbt project').locator('input[type=file]').setInputFiles(files)
  await dialog('Import dbt project').getByText('Chosen: manifest.json, catalog.json').waitFor()
  await expectAccessible(page)
  await dialog('Import dbt project').getByRole('button', { name: 'Import', exact: true }).click()
  await projects.getByText('1 table, 1 found').waitFor()
  await projects.getByText('1 metric').click()
  await projects.getByText('revenue / orders').waitFor()
  await expectAccessible(page)
  await projects.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete import' }).click()
  await projects.getByText('Import descriptions, lineage and metrics').waitFor()
})
