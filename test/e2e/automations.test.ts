import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../apps/server/src/testing/mail-server.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { type Service, startService } from './service.ts'
import { openAs, storeAutomation } from './steps.ts'

/** A real browser, the real service, its sample shop and the automation that comes with it, and a mail server. */
let service: Service
let mail: MailServer
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  mail = await startMailServer()
  service = await startService({ SMTP_URL: mail.url, SMTP_FROM: 'Querypost <querypost@shop.test>' })
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await mail?.close()
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

const pathNow = () => new URL(page.url()).pathname
const messages = () => page.getByRole('list', { name: 'Messages' })
const runNow = () => page.getByRole('button', { name: 'Run now' }).click()
const endless = 'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3'

test('the sample automation runs now: its steps arrive, its summary has figures that lead to their runs, its event is shown', async () => {
  await openAs(page, service, '/')
  await page.getByRole('link', { name: 'Automations' }).click()
  await page.getByRole('link', { name: /Monday shop report/ }).click()
  await page.getByText('Every Monday at 08:00 (UTC)').waitFor()
  await page.getByRole('link', { name: 'Top products', exact: true }).waitFor()
  // Its first run is carried out as the service starts.
  await page.getByRole('region', { name: 'History' }).getByText('Completed').first().waitFor()

  await runNow()
  await page.waitForURL('**/chats/*')
  await messages().getByText('Instructions').waitFor()
  await messages().locator('.query_run').getByText('Top products').waitFor()
  const summary = messages().locator('.summary')
  await summary.waitFor()
  await page.locator('.page-head').getByText('Completed').waitFor()
  expect(await messages().locator('.query_run .status.completed').count()).toBe(3)

  const event = page.getByRole('region', { name: 'Event' })
  await event.getByText('No endpoint is subscribed; this is what would have been delivered.').waitFor()
  await event.getByText('Its body').click()
  const body = JSON.parse((await event.locator('pre').textContent())!) as { type: string; data: { chatUrl: string } }
  expect(body).toMatchObject({ type: 'automation.run.completed', data: { automationName: 'Monday shop report', imageUrl: null } })
  expect(body.data.chatUrl).toBe(page.url())

  await messages().locator('.query_run summary').first().click()
  await messages().locator('.query_run tbody tr').first().waitFor()

  const chatPath = pathNow()
  await summary.getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Run of a query' }).waitFor()
  expect(pathNow()).toMatch(/^\/runs\/run_/)
  await page.getByRole('region', { name: 'Result' }).locator('tbody tr').first().waitFor()
  await page.getByRole('link', { name: 'Monday shop report' }).click()
  await page.waitForURL(`**${chatPath}`)

  // A permalink: whoever opens it anew reads the same.
  expect((await page.goto(chatPath))?.status()).toBe(200)
  await summary.waitFor()
  await page.getByRole('link', { name: 'Chats', exact: true }).click()
  await expect.poll(() => page.getByRole('link', { name: /Monday shop report/ }).count()).toBe(2)
})

test('an automation is made, with what is wrong said at its fields, then edited, paused, resumed and deleted', async () => {
  await openAs(page, service, '/automations/new')
  await page.getByRole('button', { name: 'Create automation' }).click()
  await page.getByText('must have 1 to', { exact: false }).first().waitFor()

  await page.getByLabel('Name', { exact: true }).fill('Evening look')
  await page.getByLabel('Instructions', { exact: true }).fill('Say how the day went.')
  await page.getByRole('searchbox', { name: 'Queries it looks at' }).fill('week revenue')
  await page.getByRole('button', { name: 'Revenue by week' }).click()
  await page.getByRole('combobox', { name: 'Every' }).selectOption('time of a cron expression')
  await page.getByLabel('Cron expression', { exact: true }).fill('0 18 * *')
  await page.locator('.next-times .fault').waitFor()
  await page.getByRole('button', { name: 'Create automation' }).click()
  await page.locator('.field.faulty').getByText('Cron expression').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Evening look')

  await page.getByLabel('Cron expression', { exact: true }).fill('30 18 * * *')
  await page.getByLabel('Time zone').fill('Asia/Kolkata')
  await expect.poll(() => page.locator('.next-times time').count()).toBe(5)
  expect(await page.locator('.next-times time').first().textContent()).toContain('18:30')
  await page.getByRole('button', { name: 'Create automation' }).click()
  await page.getByRole('heading', { name: 'Evening look' }).waitFor()
  await page.getByText('Every day at 18:30 (Asia/Kolkata)').waitFor()
  await page.getByText('It has not run yet.').waitFor()
  expect(await page.getByRole('region', { name: 'From a program' }).locator('code').last().textContent()).toContain(
    `${service.baseUrl}/api${pathNow()}/runs`,
  )

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Evening review')
  await page.getByLabel('When a result changes').check()
  await page.getByRole('searchbox', { name: 'The query whose results are watched' }).fill('biggest')
  await page.getByRole('group', { name: 'The query whose results are watched' }).getByRole('button', { name: 'Biggest orders' }).click()
  await page.getByLabel('Number', { exact: true }).fill('twelve')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.field.faulty').getByText('Must be number').waitFor()
  await page.getByLabel('Number', { exact: true }).fill('12')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Whenever “Biggest orders” has a new result, as soon as its number of rows is > 12').waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('heading', { name: 'Evening review Paused' }).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Keep' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('heading', { name: 'Automations' }).waitFor()
  await page.getByRole('link', { name: /Monday shop report/ }).waitFor()
  expect(await page.getByText('Evening review').count()).toBe(0)
})

test('a run is stopped by whoever watches it, and says by whom; they are not told of it', async () => {
  await openAs(page, service, '/')
  await page.goto(`/automations/${await storeAutomation(page, { name: 'Endless', sql: endless })}`)
  await runNow()
  await messages().locator('.query_run .status.running').waitFor()
  await page.getByText('The agent is at work').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await messages().getByRole('alert').getByText('Stopped by').waitFor()
  await page.locator('.page-head').getByText('Failed').waitFor()
  await page.getByRole('region', { name: 'Event' }).getByText('automation.run.failed').first().waitFor()
  expect(await page.locator('.unread-count').count()).toBe(0)
})

test('a run that fails says why, and its maker is told, once, until they have read it', async () => {
  await openAs(page, service, '/')
  await page.goto(`/automations/${await storeAutomation(page, { name: 'Broken', sql: 'select no_such_column from orders' })}`)
  await runNow()
  await messages().locator('.query_run .reason').getByText('no_such_column').waitFor()
  await messages().getByRole('alert').getByText('The run failed').waitFor()
  await page.getByLabel('1 unread').waitFor()
  const chatPath = pathNow()

  await page.getByRole('link', { name: /Notifications/ }).click()
  const item = page.locator('.notifications .unread')
  await item.getByText('Broken').waitFor()
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await item.waitFor({ state: 'detached' })
  await page.locator('.unread-count').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'See what it is about' }).first().click()
  await messages().getByRole('alert').getByText('The run failed').waitFor()
  expect(pathNow()).toBe(chatPath)
})

test('notifications come by e-mail too, until one switches that off', async () => {
  await openAs(page, service, '/notifications')
  const isOn = page.getByRole('switch', { name: `Send notifications to ${service.email} too` })
  expect(await isOn.isChecked()).toBe(true)
  const before = mail.letters.length
  await page.getByRole('button', { name: 'Send a test letter' }).click()
  await page.getByText(`A letter is on its way to ${service.email}.`).waitFor()
  expect((await mail.received(before + 1)).at(-1)).toMatchObject({ to: [service.email] })
  await isOn.click()
  await expect.poll(() => isOn.isChecked()).toBe(false)
  await expect.poll(() => isOn.isEnabled()).toBe(true)
  await page.reload()
  await isOn.waitFor()
  expect(await isOn.isChecked()).toBe(false)
})

test('a connection that is lost is shown, and what happened meanwhile once it is back', async () => {
  await openAs(page, service, '/')
  const id = await storeAutomation(page, { name: 'Slow', sql: endless })
  visitor.expectErrors(/net::ERR_FAILED/)
  await page.route('**/app/api/chats/*/events*', (route) => route.abort())
  await page.goto(`/automations/${id}`)
  await runNow()
  await page.getByText('The connection is lost').waitFor()
  const { items } = (await (await page.request.get(`/app/api/automations/${id}/runs`)).json()) as { items: { id: string }[] }
  await page.request.post(`/app/api/automation-runs/${items[0]!.id}/stop`)
  expect(await messages().getByRole('alert').count()).toBe(0)
  await page.unroute('**/app/api/chats/*/events*')
  await messages().getByRole('alert').getByText('Stopped by').waitFor()
  await page.getByText('The connection is lost').waitFor({ state: 'detached' })
})

test('a permalink to no chat answers 404 and says so', async () => {
  expect((await page.goto('/chats/nosuchchat'))?.status()).toBe(404)
  await page.getByRole('heading', { name: 'This link leads nowhere' }).waitFor()
})
