import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '@querypost/server/testing'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { newOrganization, type Organization } from './organization.ts'
import { joinAsMember, openAs, signIn } from './steps.ts'

/** What agents know, in a real browser, with the sample shop and a scripted model. */
let service: Organization
let browser: Browser
let model: ModelServer
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  model = await startModelServer()
  service = await newOrganization('knowledge')
})
afterAll(async () => {
  await browser?.close()
  await model?.close()
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

/** The same timeout as Playwright's own waits. */
const withinTimeout = { timeout: 60_000 }
const phone = { width: 360, height: 740 }
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

test('an admin changes instructions, metrics and descriptions, and restores an earlier version', async () => {
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
  await expect.poll(() => list('Tables').getByRole('listitem').count(), withinTimeout).toBe(1)
  await button('Describe main.customers').click()
  const sheet = dialog('Describe main.customers')
  // The database's own comment is the placeholder.
  await sheet.getByPlaceholder('Whether the customer receives the newsletter.').fill('Opted in by e-mail.')
  await sheet.getByRole('button', { name: 'Save descriptions' }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Search tables' }).fill('opted in')
  await list('Tables').getByText('main.customers').waitFor()

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
})

test('an answer says what it used; a member teaches, and an admin accepts', async () => {
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
  expect(await form.getByLabel('Agents should know').inputValue()).toBe(correction)
  await expectAccessible(member.page)
  await form.getByRole('button', { name: 'Send suggestion' }).click()
  await form.waitFor({ state: 'detached' })
  await member.page.goto('/knowledge/suggestions')
  await member.page.getByText(correction).waitFor()
  expect(await member.page.getByRole('button', { name: /Accept/ }).count()).toBe(0)
  await member.leave()

  await page.goto('/knowledge')
  await tab('Suggestions 1').click()
  await button('Accept…').click()
  await dialog('Accept suggestion').getByLabel('Agents should know').fill('Turnover excludes gifts.')
  await expectAccessible(page)
  await dialog('Accept suggestion').getByRole('button', { name: 'Accept suggestion' }).click()
  await page.getByText('No open suggestions').waitFor()
  await page.getByText('Decided suggestions').click()
  await list('Decided suggestions').getByText('Accepted', { exact: true }).waitFor()
  await tab('Instructions').click()
  const instructions = page.getByRole('form', { name: 'Instructions for all databases' }).getByRole('textbox')
  await expect.poll(() => instructions.inputValue(), withinTimeout).toMatch(/- Turnover excludes gifts\.$/)
})

test('runs the questions before a change is saved, and shows what would become better, on a phone, too', async () => {
  await signIn(page, service)
  const settings = { provider: 'openai_compatible', baseUrl: model.url, model: 'scripted', apiKey: 'secret' }
  await page.request.put('/app/api/model-settings', { data: settings })
  const databases = (await (await page.request.get('/app/api/databases')).json()) as { items: { id: string }[] }
  const databaseId = databases.items[0]!.id
  const question = { text: 'How many pairs are there?', databaseId, expectedSql: 'select 1 as pairs', expectedRows: null, isOrdered: false, tolerance: 0 }
  await page.request.post('/app/api/question-sets', { data: { name: 'Pairs', questions: [question] } })
  // Without the change first, then with it.
  for (const sql of ['select 2 as pairs', 'select 1 as pairs']) {
    model.script({ toolCalls: [{ name: 'run_sql', input: { databaseId, sql } }] }, { text: 'Done.' })
  }
  await page.setViewportSize(phone)
  await page.goto('/knowledge')
  const form = page.getByRole('form', { name: 'Instructions for all databases' })
  await form.getByRole('textbox').fill('A pair is two of the same.')
  await form.getByRole('button', { name: 'Run the questions first' }).click()
  const questions = dialog('Run the questions first')
  await questions.getByLabel('Question set').selectOption({ label: 'Pairs (1)' })
  await expectAccessible(page)
  await questions.getByRole('button', { name: 'Run questions' }).click()
  await questions.getByText('1 better, 0 worse, 0 the same').waitFor()
  await questions.getByRole('list', { name: 'What would change' }).getByText('Better').waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await questions.getByRole('button', { name: 'Save change' }).click()
  await page.getByText('Instructions saved.', { exact: true }).waitFor()

  // A change can also be discarded.
  await form.getByRole('textbox').fill('Something else.')
  await form.getByRole('button', { name: 'Run the questions first' }).click()
  await questions.getByRole('button', { name: 'Cancel' }).click()
  await questions.waitFor({ state: 'detached' })
  expect(await form.getByRole('textbox').inputValue()).toBe('Something else.')
})
