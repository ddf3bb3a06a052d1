import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startMcpServer, startModelServer } from '@querypost/server/testing'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { joinAsMember, openAs, signIn } from './steps.ts'

/** Runs in a real browser against the real service, with a scripted model and a real data connector on loopback. */
let service: Organization
let browser: Browser
let model: ModelServer
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  model = await startModelServer()
  service = await newOrganization('agent-settings')
})
afterAll(() => model?.close())
beforeEach(async () => {
  model.forget()
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

const modelSection = () => page.getByRole('region', { name: 'Model' })
const connectorSection = () => page.getByRole('region', { name: 'Data connectors' })

test('tests a model, shows why it failed, saves it, streams its answer in a chat, and stops it', async () => {
  await openAs(page, service, '/settings/agents')
  const key = 'sk-e2e-secret'
  await modelSection().getByLabel('Base URL').fill(model.url)
  await modelSection().getByLabel('Model', { exact: true }).fill('scripted')
  await modelSection().getByLabel('API key').fill(key)
  model.script({ status: 401, body: { error: { message: 'bad key' } } })
  await modelSection().getByRole('button', { name: 'Test' }).click()
  await modelSection().getByRole('alert').getByText('Test failed').waitFor()
  await expect.poll(() => modelSection().getByLabel('API key').inputValue()).toBe(key)
  // Saving settings that failed their test needs a confirmation.
  await modelSection().getByRole('button', { name: 'Save model' }).click()
  const warning = page.getByRole('alertdialog', { name: 'Save a model that failed its test?' })
  await expectAccessible(page)
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await warning.waitFor({ state: 'detached' })
  model.script({ toolCalls: [{ name: 'report_readiness', input: { word: 'ready' } }] })
  await modelSection().getByRole('button', { name: 'Test' }).click()
  await modelSection().getByText('The model answered').waitFor()
  await expectAccessible(page)

  await modelSection().getByRole('button', { name: 'Save' }).click()
  await modelSection().getByText('Leave blank to keep the saved key.').waitFor()
  await expect.poll(() => modelSection().getByLabel('API key').inputValue()).toBe('')
  await page.reload()
  await modelSection().getByText('Leave blank to keep the saved key.').waitFor()
  expect(await page.content()).not.toContain(key)

  await page.goto('/chats')
  await page.getByRole('link', { name: /Monday shop report/ }).first().click()
  const messages = page.getByRole('list', { name: 'Messages' })
  await messages.locator('[data-kind=summary]').waitFor()
  const { items } = (await (await page.request.get('/app/api/databases')).json()) as { items: { id: string }[] }
  const sql = 'select country, count(*) as customers from customers group by 1 order by 2 desc limit 5'
  const chart = { type: 'bar', jsxConfig: '<BarChart><XAxis dataKey="country" /><Bar dataKey="customers" /></BarChart>' }
  model.script(
    { text: 'I look at the tables first.', toolCalls: [{ name: 'list_tables', input: {} }] },
    { toolCalls: [{ name: 'run_sql', input: { databaseId: items[0]!.id, sql } }] },
    (request) => {
      // The newest run in the conversation.
      const runId = JSON.stringify(request.body.messages).match(/\brun_\w{10,}/g)!.at(-1)
      return { toolCalls: [{ name: 'draw_chart', input: { runId, title: 'Customers by country', visualization: chart } }] }
    },
    { text: 'It **depends**. See [elsewhere](https://elsewhere.test/).' },
  )
  const box = page.getByLabel('Ask a follow-up question')
  await box.fill('Why did revenue fall?')
  await box.press('Shift+Enter')
  await box.pressSequentially('Be brief.')
  await box.press('Enter')
  await messages.getByRole('heading', { name: 'Why did revenue fall? Be brief.' }).waitFor()
  const answer = messages.locator('[data-kind=answer]')
  await answer.getByText('depends').waitFor()
  await messages.getByText('How this was answered').last().click()
  await messages.getByText('I look at the tables first.').waitFor()
  await messages.locator('[data-kind=tool_call] .status.completed').waitFor()
  await messages.getByText('list_tables').click()
  await messages.locator('[data-kind=tool_call]').getByText('orders').first().waitFor()
  await messages.locator('[data-kind=query_run]').last().getByText('5 rows').waitFor()
  const bars = messages.getByRole('region', { name: 'Chart: Customers by country' }).locator('[data-chart="bar"]')
  await expect.poll(() => bars.getAttribute('data-points')).toBe('5')
  expect(await answer.getByRole('link').count()).toBe(0)
  await expect.poll(() => box.inputValue()).toBe('')
  await expect.poll(() => box.isEnabled()).toBe(true)

  const asked = model.requests.length
  model.script('hang')
  await box.fill('And the week before?')
  await page.getByRole('button', { name: 'Send question' }).click()
  await page.getByRole('status').getByText('Thinking…').waitFor()
  // Stopped before its request, it would leave the rest of the script to the next test.
  await model.seen(asked + 1)
  await expect.poll(() => box.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Stop' }).click()
  await messages.getByRole('status').getByText('Stopped by').waitFor()
  await expect.poll(() => box.isEnabled()).toBe(true)
})

journey('evaluates the model with a question set, and shows what became better', async () => {
  await openAs(page, service, '/settings/agents')
  await page.getByRole('link', { name: 'Evaluations' }).click()
  await page.getByRole('list', { name: 'Question sets' }).getByRole('link', { name: 'Sample shop' }).waitFor()
  await page.getByRole('button', { name: 'New question set' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Checks')
  const questions = dialog.getByLabel('Questions')
  // The example names a database once they are loaded.
  const exampleDatabase = async () => (JSON.parse(await questions.inputValue()) as { databaseId: string }[])[0]!.databaseId
  await expect.poll(exampleDatabase).not.toBe('')
  const databaseId = await exampleDatabase()
  await questions.fill('[')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/^This is not JSON/).waitFor()
  const expected = { expectedSql: 'select 1 as one', expectedRows: null, isOrdered: false, tolerance: 0 }
  await questions.fill(JSON.stringify([{ text: 'What is one?', databaseId, ...expected }]))
  await dialog.getByRole('button', { name: 'Save' }).click()
  const run = async (sql: string) => {
    model.script({ toolCalls: [{ name: 'run_sql', input: { databaseId, sql } }] }, { text: 'Done.' })
    await page.getByRole('button', { name: 'Run evaluation' }).click()
  }
  await page.getByRole('heading', { name: 'Checks' }).waitFor()
  await run('select 2 as two')
  await page.getByRole('heading', { name: '0 of 1 correct (0%)' }).waitFor()
  await page.getByRole('list', { name: 'Answers' }).getByText('Wrong').waitFor()
  await page.getByRole('link', { name: 'Checks' }).click()
  await page.getByRole('list', { name: 'Evaluations' }).getByRole('link', { name: '0 of 1 correct (0%)' }).waitFor()
  await run('select 1 as one')
  await page.getByRole('heading', { name: '1 of 1 correct (100%)' }).waitFor()
  await page.getByRole('list', { name: 'Changes' }).getByText('Better').waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScrolling(page)

  await page.getByRole('link', { name: 'Compare SQL and results' }).click()
  await page.getByText('1 better, 0 worse, 0 the same').waitFor()
  const changed = page.getByRole('list', { name: 'Changed' })
  await changed.getByText('select 2 as two').waitFor()
  await changed.getByText('select 1 as one').waitFor()
  await changed.getByRole('region', { name: /^From: / }).getByRole('columnheader', { name: /two/ }).waitFor()
  await changed.getByRole('region', { name: /^To: / }).getByRole('columnheader', { name: /one/ }).waitFor()
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await expectAccessible(page)
  // Any other evaluation of the set can be chosen.
  const [newest] = await page.getByLabel('From', { exact: true }).getByRole('option').all()
  await page.getByLabel('From', { exact: true }).selectOption(await newest!.getAttribute('value'))
  await page.getByText('0 better, 0 worse, 1 the same').waitFor()
})

journey('shows who used the model, and rejects questions at a limit', async () => {
  await openAs(page, service, '/settings/agents')
  const usage = page.getByRole('region', { name: 'Usage' })
  await usage.getByRole('group', { name: 'Models' }).getByText('scripted').waitFor()
  await usage.getByRole('group', { name: 'Automations and chats' }).getByText('Chats', { exact: true }).waitFor()
  const budget = page.getByRole('region', { name: 'Budget' })
  const perPerson = budget.getByRole('group', { name: 'Each person, per day' })
  await perPerson.getByLabel('Tokens').fill('many')
  await budget.getByRole('button', { name: 'Save budget' }).click()
  await perPerson.getByText('Enter a whole number, or leave it blank.').waitFor()
  await perPerson.getByLabel('Tokens').fill('1')
  await budget.getByLabel('Input tokens').fill('3')
  await budget.getByLabel('Output tokens').fill('15')
  await budget.getByRole('button', { name: 'Save budget' }).click()
  await budget.getByText(/required for prices/).waitFor()
  await budget.getByLabel('Currency').fill('eur')
  await budget.getByRole('button', { name: 'Save budget' }).click()
  await page.getByText('Budget saved.', { exact: true }).waitFor()
  await usage.getByRole('list', { name: 'Limits' }).getByText('of 1 token', { exact: false }).waitFor()
  await usage.getByRole('group', { name: 'Models' }).getByText(/^[\d,]+ tokens, .* EUR$/).waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScrolling(page)

  await page.goto('/chats')
  await page.getByRole('link', { name: /Monday shop report/ }).first().click()
  await page.getByLabel('Ask a follow-up question').fill('And now?')
  await page.getByRole('button', { name: 'Send question' }).click()
  await page.getByRole('alert').getByText('The daily limit of 1 token per person is reached.', { exact: false }).waitFor()
  await page.request.put('/app/api/model-budget', { data: { currency: null, limits: [], prices: [] } })
})

journey('offers the model for an automation until it is removed', async () => {
  await openAs(page, service, '/automations/new?template=none')
  const digestNotice = page.getByText('The digest agent doesn’t follow instructions.')
  await digestNotice.waitFor()
  await page.getByLabel(/^Model:/).check()
  await digestNotice.waitFor({ state: 'detached' })
  // A description suggests the model, because only it follows instructions.
  await page.goto('/automations/new?words=Every day at 8 tell me about Top products')
  await page.getByLabel(/^Model:/).waitFor()
  await expect.poll(() => page.getByLabel(/^Model:/).isChecked()).toBe(true)
  await page.goto('/settings/agents')
  await modelSection().getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await modelSection().getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await modelSection().getByRole('button', { name: 'Remove' }).waitFor({ state: 'detached' })
  await page.goto('/automations/new?template=weekly-report')
  await page.getByText('No model connected yet.').waitFor()
  expect(await page.getByLabel(/^Model:/).isDisabled()).toBe(true)
  await page.goto('/chats')
  await page.getByRole('link', { name: /Monday shop report/ }).first().click()
  await page.getByText('Connect an AI model to ask follow-up questions.').waitFor()
})

journey('adds a data connector with a header, tests, disables, enables and deletes it', async () => {
  const server = await startMcpServer({ token: 'shop-secret' })
  try {
    await openAs(page, service, '/settings/agents')
    await page.getByLabel('Connector name').fill('Customer records')
    await page.getByRole('button', { name: 'Add connector' }).click()
    await connectorSection().locator('.field.faulty').getByText('URL').waitFor()
    await page.getByLabel('URL', { exact: true }).fill(server.url)
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Header', { exact: true }).fill('Authorization')
    await page.getByLabel('Value', { exact: true }).fill('Bearer shop-secret')
    await page.getByRole('button', { name: 'Add connector' }).click()
    await connectorSection().getByText('Headers: Authorization', { exact: false }).waitFor()
    expect(await page.content()).not.toContain('shop-secret')

    await page.getByRole('button', { name: 'Test Customer records' }).click()
    await connectorSection().getByRole('status').getByText('lookup_customer').waitFor()
    await page.getByRole('button', { name: 'Disable Customer records' }).click()
    await page.getByRole('button', { name: 'Enable Customer records' }).click()
    await page.getByRole('button', { name: 'Delete Customer records' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await connectorSection().getByText('No data connectors yet.').waitFor()
  } finally {
    await server.close()
  }
})

journey('shows a member the settings and whom to ask, without controls, on a phone in dark mode', async () => {
  await signIn(page, service)
  const connector = { name: 'Warehouse', url: 'https://tools.example.com/mcp?key=warehouse-secret', headers: {} }
  await page.request.post('/app/api/data-connectors', { data: connector })
  const member = await visit(browser, {
    baseURL: service.baseUrl,
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  })
  await joinAsMember(member.page, page, { name: 'Max' })
  await member.page.goto('/settings/agents')
  await member.page.getByText('Only admins can change these settings.', { exact: false }).waitFor()
  await member.page.getByText('Warehouse').waitFor()
  await member.page.getByText('No model connected.').waitFor()
  expect(await member.page.content()).not.toMatch(/warehouse-secret|tools\.example/)
  expect(await member.page.locator('main').getByRole('button').count()).toBe(0)
  expect(await member.page.locator('main form').count()).toBe(0)
  await expectAccessible(member.page)
  await expectNoSidewaysScrolling(member.page)

  // A chat tells a member whom to ask for a model.
  await member.page.goto('/chats')
  await member.page.getByRole('link', { name: /Monday shop report/ }).first().click()
  await member.page.getByText('An admin can connect one.').waitFor()
  expect(await member.page.getByRole('region', { name: 'Event' }).count()).toBe(0)
  await member.leave()
})
