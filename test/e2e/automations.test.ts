import { createHmac } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { openAs, signIn, storeAutomation, storeQueryWithReference } from './steps.ts'

/** Runs in a real browser against the real service with the sample shop, its automation, and a mail server. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('automations')
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

const pathNow = () => new URL(page.url()).pathname
const messages = () => page.getByRole('list', { name: 'Messages' })
const ofKind = (kind: string) => messages().locator(`[data-kind=${kind}]`)
const status = () => page.locator('[data-part=about] .status')
const failure = () => messages().getByRole('alert')
const stopped = () => messages().getByRole('status')
const showSteps = () => messages().getByText('How this was answered').first().click()
const region = (name: string) => page.getByRole('region', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('alertdialog')
const field = (label: string) => page.getByLabel(label, { exact: true })
const faultOf = (label: string) => page.locator('.field.faulty').filter({ hasText: label }).getByRole('alert')
const nextTimes = () => region('Next times').locator('time')
const runNow = () => button('Run now').click()
const endless = 'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3'
const runsOf = async (id: string) => {
  const { items } = (await (await page.request.get(`/app/api/automations/${id}/runs`)).json()) as { items: { id: string }[] }
  return items
}

test('runs the sample automation: steps arrive, figures in the summary link to their runs, the event is shown', async () => {
  await openAs(page, service, '/')
  await page.getByRole('link', { name: 'Automations', exact: true }).click()
  await page.getByRole('link', { name: /Monday shop report.*3 queries/ }).click()
  await page.getByText('Every Monday at 08:00 (UTC)').waitFor()
  await page.getByRole('link', { name: 'Top products', exact: true }).waitFor()
  // Its first run happens when the service starts.
  await region('History').getByText('Completed').first().waitFor()
  const summarized = await region('History').getByRole('link').first().textContent()
  expect(summarized).toContain('Total new customers')
  expect(summarized, 'a list without its marks').not.toMatch(/^- /m)

  await runNow()
  await page.waitForURL('**/chats/*')
  const summary = ofKind('summary')
  await summary.waitFor()
  // The report comes first; the steps behind it are folded.
  await showSteps()
  await messages().getByText('Instructions').waitFor()
  await ofKind('query_run').getByText('Top products').waitFor()
  await status().getByText('Completed').waitFor()
  await expect.poll(() => ofKind('query_run').locator('.status.completed').count()).toBe(3)

  const event = region('Event')
  await event.getByText('View details').click()
  await event.getByText('No webhook endpoint yet. Here’s the payload we would have sent.').waitFor()
  const body = JSON.parse((await event.locator('pre').textContent())!) as { type: string; data: { chatUrl: string } }
  expect(body).toMatchObject({ type: 'automation.run.completed', data: { automationName: 'Monday shop report', imageUrl: null } })
  expect(body.data.chatUrl).toBe(page.url())

  await ofKind('query_run').locator('summary').first().click()
  await ofKind('query_run').locator('tbody tr').first().waitFor()
  await expectAccessible(page)

  const chatPath = pathNow()
  await summary.getByRole('link').first().click()
  await page.waitForURL('**/runs/run_*')
  await region('Result').getByRole('row').nth(1).waitFor()
  await page.getByRole('link', { name: 'Monday shop report' }).waitFor()
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.waitForURL(`**${chatPath}`)

  // Opening the permalink again shows the same chat.
  expect((await page.goto(chatPath))?.status()).toBe(200)
  await summary.waitFor()
  await page.getByRole('link', { name: 'Chats', exact: true }).click()
  await expect.poll(() => page.getByRole('link', { name: /Monday shop report/ }).count()).toBe(2)
})

test('creates an automation, with errors at their fields, then edits, pauses, resumes and deletes it', async () => {
  await openAs(page, service, '/automations')
  await page.keyboard.press('n')
  await page.getByRole('link', { name: 'Start from scratch' }).click()
  await button('Create automation').click()
  await faultOf('Name').getByText('must have 1 to').waitFor()

  await field('Name').fill('Evening look')
  await field('Instructions').fill('Say how the day went.')
  await page.getByText('The digest agent doesn’t follow instructions.').waitFor()
  await page.getByRole('searchbox', { name: 'Queries to check' }).fill('week revenue')
  await button('Revenue by week').click()
  await field('Every').selectOption('custom (cron expression)')
  await field('Cron expression').fill('0 18 * *')
  await region('Next times').getByText('Must have five fields').waitFor()
  await button('Create automation').click()
  await faultOf('Cron expression').getByText('Must have five fields').waitFor()
  await expect.poll(() => field('Name').inputValue()).toBe('Evening look')
  await expectAccessible(page)

  await field('Cron expression').fill('30 18 * * *')
  await field('Time zone').fill('Asia/Kolkata')
  await expect.poll(() => nextTimes().count()).toBe(5)
  await expect.poll(() => nextTimes().first().textContent()).toContain('18:30')
  await button('Create automation').click()
  await page.getByRole('heading', { name: 'Evening look' }).waitFor()
  await page.getByText('Every day at 18:30 (Asia/Kolkata)').waitFor()
  await page.getByText('No runs yet.').waitFor()
  await expect.poll(() => region('Run via API').locator('pre').textContent()).toContain(`${service.baseUrl}/api${pathNow()}/runs`)

  await button('Edit').click()
  await field('Name').fill('Evening review')
  await page.getByLabel('When a result changes').check()
  await page.getByRole('searchbox', { name: 'Query to watch' }).fill('biggest')
  await page.getByRole('group', { name: 'Query to watch' }).getByRole('button', { name: 'Biggest orders' }).click()
  await field('Number').fill('twelve')
  await button('Save changes').click()
  await faultOf('Number').getByText('Must be number').waitFor()
  await field('Number').fill('12')
  await button('Save changes').click()
  await page.getByText('When the number of rows in “Biggest orders” becomes > 12').waitFor()

  await button('Pause').click()
  await page.getByRole('heading', { name: 'Evening review Paused' }).waitFor()
  await button('Resume').click()
  await button('Pause').waitFor()

  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete automation' }).click()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await dialog().waitFor({ state: 'detached' })
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete automation' }).click()
  await dialog().getByText('Chats from past runs are kept').waitFor()
  await dialog().getByRole('button', { name: 'Delete automation' }).click()
  await page.getByRole('heading', { name: 'Automations' }).waitFor()
  await page.getByRole('link', { name: /Monday shop report/ }).waitFor()
  expect(await page.getByRole('link', { name: /Evening review/ }).count()).toBe(0)
})

journey('fills the form from a template, and previews the next five times while the schedule changes', async () => {
  await openAs(page, service, '/automations/new')
  await page.getByRole('link', { name: 'Daily digest' }).click()
  await expect.poll(() => field('Name').inputValue()).toBe('Daily digest')
  await expect.poll(() => field('Instructions').inputValue()).toContain('what changed since yesterday')
  await button('Create automation').click()
  await faultOf('Queries to check').getByText('at least one reference').waitFor()
  await page.getByRole('searchbox', { name: 'Queries to check' }).fill('top products')
  await button('Top products').waitFor()
  await page.keyboard.press('Enter')
  await button('Remove Top products').waitFor()
  await expect.poll(() => nextTimes().count()).toBe(5)

  await field('Every').selectOption('week')
  for (const day of ['Tuesday', 'Saturday']) await page.getByLabel(day).check()
  await page.getByLabel('Monday').uncheck()
  const days = async () => (await nextTimes().allTextContents()).map((text) => text.slice(0, 3))
  await expect.poll(async () => new Set(await days())).toEqual(new Set(['Tue', 'Sat']))
  expect(await days()).toHaveLength(5)
  // The last day can't be removed.
  await page.getByLabel('Tuesday').uncheck()
  await page.getByLabel('Saturday').click()
  await expect.poll(() => page.getByLabel('Saturday').isChecked()).toBe(true)
  await page.getByLabel('Tuesday').check()

  await field('Every').selectOption('month')
  await field('On the').selectOption('31st')
  await page.getByText('Months without a 31st are skipped').waitFor()
  await field('On the').selectOption('last day')
  await field('At').fill('17:45')
  await expect.poll(() => nextTimes().first().textContent()).toContain('17:45')
  await button('Create automation').click()
  await page.getByText('On the last day of every month at 17:45 (UTC)').waitFor()

  // Another template has a condition and suggests the columns of the watched query; going back returns to the templates.
  await page.goto('/automations/new')
  await page.getByRole('link', { name: 'Watch a number' }).click()
  await field('Column').waitFor()
  await page.getByRole('searchbox', { name: 'Query to watch' }).fill('top products')
  const watched = page.getByRole('group', { name: 'Query to watch' })
  await watched.getByRole('button', { name: 'Top products' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => button('Remove Top products').count()).toBe(2)
  await page.locator('datalist option[value=revenue]').waitFor({ state: 'attached' })
  await page.goBack()
  await page.getByRole('heading', { name: 'Start from a template' }).waitFor()
})

journey('creates an automation from a sentence, and shows while typing what was understood and what was not', async () => {
  await openAs(page, service, '/automations/new')
  const box = field('What should it do?')
  await box.fill('Every other week at 8:30 pm Berlin time look at revenue BY week and “No such query”, and tell me what changed')
  const understood = region('How we read it')
  await understood.getByText('Revenue by week', { exact: true }).waitFor()
  const unread = understood.getByRole('list', { name: 'Not understood' })
  await unread.getByText('Can’t read “Every other week” as a schedule').waitFor()
  await unread.getByText('No query is named “No such query”.').waitFor()
  await understood.getByRole('list', { name: 'Assumptions' }).getByText('using every day').waitFor()
  await expectAccessible(page)

  await box.fill('Every weekday at 8 look at revenue BY week and post it to Slack')
  await unread.getByText('No channel for Slack yet.').waitFor()

  await box.fill('Every weekday at 8:30 pm Berlin time look at revenue BY week and tell me what changed, and e-mail me')
  await understood.getByText('Every weekday at 20:30 (Europe/Berlin)').waitFor()
  expect(await unread.count()).toBe(0)
  await button('Fill in the form').click()
  await expect.poll(() => field('Name').inputValue()).toBe('Weekdays: Revenue by week')
  await expect.poll(() => field('Instructions').inputValue()).toBe('Look at revenue BY week and tell me what changed.')
  await expect.poll(() => field('Every').inputValue()).toBe('weekdays')
  await expect.poll(() => field('At').inputValue()).toBe('20:30')
  await expect.poll(() => nextTimes().count()).toBe(5)
  for (const time of await nextTimes().allTextContents()) expect(time).toMatch(/^(Mon|Tue|Wed|Thu|Fri).*20:30$/)

  await page.getByRole('link', { name: 'Edit description' }).click()
  await expect.poll(() => box.inputValue()).toContain('Every weekday at 8:30 pm')
  await button('Fill in the form').click()
  await button('Create automation').click()
  await page.getByRole('heading', { name: 'Weekdays: Revenue by week' }).waitFor()
  await page.getByText('Every weekday at 20:30 (Europe/Berlin)').waitFor()
  await region('Send to').getByRole('listitem').getByText('Summary of the run').waitFor()
})

journey('stops a run and says who stopped it, without notifying that person', async () => {
  await signIn(page, service)
  const path = `/automations/${await storeAutomation(page, { name: 'Endless', sql: endless })}`
  await page.goto(path)
  await runNow()
  await page.getByRole('status').getByText('Running “Endless: its query”…').waitFor()
  await messages().getByText('Steps so far').click()
  await ofKind('query_run').locator('.status.running').waitFor()
  await button('Stop').click()
  await stopped().getByText('Stopped by').waitFor()
  await status().getByText('Stopped').waitFor()
  await region('Event').getByText('View details').click()
  await region('Event').getByText('automation.run.failed').first().waitFor()

  // The automation's page can stop the run too, and its history updates without a reload.
  await page.goto(path)
  await page.request.post(`/app/api${path}/runs`)
  await runNow()
  await page.getByText('already has a pending or running run').first().waitFor()
  await page.getByText('A run is in progress.').waitFor()
  await button('Stop').click()
  await page.getByText('A run is in progress.').waitFor({ state: 'detached' })
  await region('History').getByText('Stopped by').nth(1).waitFor()
  await region('History').getByText('took').first().waitFor()
  expect(await button(/unread/).count()).toBe(0)
})

journey('a failed run says why, and raises the unread count of the automation’s creator on any page', async () => {
  await openAs(page, service, '/')
  const id = await storeAutomation(page, { name: 'Broken', sql: 'select no_such_column from orders' })
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await button('Notifications').waitFor()
  await page.request.post(`/app/api/automations/${id}/runs`)
  await button('Notifications, 1 unread').waitFor()

  await bell.click()
  const newest = page.getByRole('dialog', { name: 'Notifications' })
  await newest.getByText('Broken').waitFor()
  await expectAccessible(page)
  // Opening the list doesn't mark anything as read.
  await page.keyboard.press('Escape')
  await newest.waitFor({ state: 'detached' })
  await button('Notifications, 1 unread').waitFor()
  await bell.click()
  await newest.getByRole('link', { name: 'Run failed' }).click()
  await ofKind('query_run').locator('[data-part=reason]').getByText('no_such_column').waitFor()
  await failure().getByText('The run failed').waitFor()
  await button('Notifications').waitFor()
  const chatPath = pathNow()

  // An automation notifies once until it succeeds again, so a second one fails while the notifications page is open.
  await page.goto('/notifications')
  const list = page.getByRole('list', { name: 'Notifications' })
  await list.getByText('Broken').waitFor()
  expect(await list.locator('[data-unread=true]').count()).toBe(0)
  const other = await storeAutomation(page, { name: 'Broken too', sql: 'select 1 from nowhere' })
  await page.request.post(`/app/api/automations/${other}/runs`)
  await list.getByText('Broken too').waitFor()
  await page.getByRole('tab', { name: 'Unread (1)' }).click()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  await page.reload()
  await list.getByText('Broken too').waitFor()
  await button('Mark all as read').click()
  await page.getByText('You’re all caught up').waitFor()
  await button('Notifications').waitFor()
  await page.getByRole('tab', { name: 'All' }).click()
  await list.getByRole('link', { name: 'Run failed' }).last().click()
  await failure().getByText('The run failed').waitFor()
  expect(pathNow()).toBe(chatPath)
})

journey('sends notifications by e-mail until the person turns that off', async () => {
  await openAs(page, service, '/notifications')
  const isOn = page.getByRole('switch', { name: `Also send notifications to ${service.email}` })
  await expect.poll(() => isOn.isChecked()).toBe(true)
  const emailCount = async () => (await service.emails()).length
  const before = await emailCount()
  await button('Send test e-mail').click()
  await page.getByText(`Sent a test e-mail to ${service.email}.`).waitFor()
  await expect.poll(emailCount).toBeGreaterThan(before)
  expect((await service.emails()).at(-1)).toMatchObject({ to: [service.email] })
  await isOn.click()
  await expect.poll(() => isOn.isChecked()).toBe(false)
  await expect.poll(() => isOn.isEnabled()).toBe(true)
  await page.reload()
  await isOn.waitFor()
  await expect.poll(() => isOn.isChecked()).toBe(false)
})

journey('shows a lost event stream, and catches up after it reconnects', async () => {
  await signIn(page, service)
  const id = await storeAutomation(page, { name: 'Slow', sql: endless })
  visitor.expectErrors(/net::ERR_FAILED/)
  await page.route('**/app/api/chats/*/events*', (route) => route.abort())
  await page.goto(`/automations/${id}`)
  await runNow()
  await page.getByText('New messages will appear once you’re back online').waitFor()
  const [run] = await runsOf(id)
  await page.request.post(`/app/api/automation-runs/${run!.id}/stop`)
  expect(await stopped().count()).toBe(0)
  await page.unroute('**/app/api/chats/*/events*')
  await stopped().getByText('Stopped by').waitFor()
  await page.getByText('New messages will appear once you’re back online').waitFor({ state: 'detached' })
})

journey('shows that the browser is offline, and catches up when it is back online', async () => {
  await signIn(page, service)
  const id = await storeAutomation(page, { name: 'Away', sql: endless })
  visitor.expectErrors(/net::ERR_INTERNET_DISCONNECTED/)
  await page.goto(`/automations/${id}`)
  await runNow()
  await page.getByRole('status').getByText('Running “Away: its query”…').waitFor()
  await page.context().setOffline(true)
  await page.getByText('Your changes are safe').waitFor()
  await page.getByText('New messages will appear once you’re back online').waitFor()
  const [run] = await runsOf(id)
  await page.request.post(`/app/api/automation-runs/${run!.id}/stop`)
  expect(await stopped().count()).toBe(0)
  await page.context().setOffline(false)
  await stopped().getByText('Stopped by').waitFor()
  await page.getByText('Your changes are safe').waitFor({ state: 'detached' })
  await page.getByText('New messages will appear once you’re back online').waitFor({ state: 'detached' })
})

journey('links admins from the event of a run to its deliveries', async () => {
  await signIn(page, service)
  // Nothing listens there, so the delivery stays pending.
  const data = { url: 'https://127.0.0.1:9/hook', eventTypes: ['automation.run.completed'] }
  const endpoint = (await (await page.request.post('/app/api/webhook-endpoints', { data })).json()) as { id: string }
  await page.goto(`/automations/${await storeAutomation(page, { name: 'Told', sql: 'select 42 as answer' })}`)
  await runNow()
  const event = region('Event')
  await event.getByText('View details').click()
  await event.getByText('pending').waitFor()
  const href = await event.getByRole('link', { name: data.url }).getAttribute('href')
  expect(href).toMatch(new RegExp(`^/settings/webhooks/${endpoint.id}\\?delivery=\\w+`))
  await page.request.delete(`/app/api/webhook-endpoints/${endpoint.id}`)
})

journey('every page is accessible in light and dark mode and on a narrow screen', async () => {
  await signIn(page, service)
  const { items } = (await (await page.request.get('/app/api/automations')).json()) as { items: { id: string; name: string }[] }
  const sample = items.find(({ name }) => name === 'Monday shop report')!
  const pages = [
    ['/automations', page.getByRole('link', { name: /Monday shop report/ })],
    [`/automations/${sample.id}`, region('History').getByRole('link').first()],
    ['/automations/new', page.getByRole('link', { name: 'Weekly report' })],
    ['/automations/new?template=watch-a-number', nextTimes().last()],
    ['/chats', page.getByRole('link', { name: /Monday shop report/ }).first()],
    ['/notifications', page.getByRole('tab', { name: 'All' })],
  ] as const
  for (const [path, sign] of pages) {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.goto(path)
    await sign.waitFor()
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScrolling(page)
    await page.setViewportSize({ width: 1280, height: 720 })
  }
  // A chat with everything open, on a phone.
  await page.goto('/chats')
  await page.getByRole('link', { name: /Monday shop report/ }).first().click()
  await ofKind('summary').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await showSteps()
  for (const summary of await ofKind('query_run').locator('details > summary').all()) if (await summary.isVisible()) await summary.click()
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
})

test('answers 404 for the permalink of an unknown chat', async () => {
  expect((await page.goto('/chats/nosuchchat'))?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

journey('sends reports to an address that confirms, shows what was sent, and stops when it unsubscribes', async () => {
  const partner = 'finance@partner.test'
  const outsider = await visit(browser, { baseURL: service.baseUrl })
  // Long lines of an e-mail with several parts are broken.
  const linkIn = (text: string, path: string) => new RegExp(`http://\\S+${path}[\\w-]+`).exec(text.replaceAll('=\n', ''))![0]
  await openAs(page, service, '/')
  const id = await storeAutomation(page, { name: 'Told to partners', sql: 'select 42 as answer' })
  await page.goto(`/automations/${id}`)
  await region('Send to').getByRole('button', { name: 'Add recipients' }).click()
  const form = page.getByRole('dialog', { name: 'Add recipients' })
  await form.getByRole('button', { name: 'Add recipients' }).click()
  await form.getByText('Must name at least one recipient').waitFor()
  await form.getByRole('searchbox', { name: 'Recipients' }).fill(partner)
  await page.keyboard.press('Enter')
  await form.getByLabel('CSV').check()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Add recipients' }).click()
  await region('Send to').getByText('Waiting for confirmation').waitFor()

  // Nothing but the request to confirm is sent before.
  await expect.poll(async () => (await service.emails(partner)).length).toBe(1)
  const [request] = await service.emails(partner)
  await outsider.page.goto(linkIn(request!.text, '/reports/confirm#'))
  await outsider.page.getByRole('button', { name: 'Confirm address' }).click()
  await outsider.page.getByRole('heading', { name: 'Address confirmed' }).waitFor()
  await expectAccessible(outsider.page)

  await page.request.post(`/app/api/automations/${id}/runs`)
  await expect.poll(async () => (await service.emails(partner)).length).toBe(2)
  const sent = (await service.emails(partner)).at(-1)!
  expect(sent.text).toContain('42')
  await page.reload()
  await region('Send to').getByText('Summary of the run with CSV').waitFor()
  expect(await region('Send to').getByText('Waiting for confirmation').count()).toBe(0)
  await region('Deliveries').getByRole('button', { name: /Sent.*partner/ }).first().click()
  const delivery = page.getByRole('dialog', { name: `To ${partner}` })
  await delivery.getByText('Accepted').waitFor()
  await delivery.frameLocator('iframe').getByRole('link', { name: 'Open in Querypost' }).waitFor()
  await expect.poll(() => delivery.frameLocator('iframe').locator('body').textContent()).toContain('42')
  await delivery.getByRole('list', { name: 'Attachments' }).getByText('.csv').waitFor()
  await page.keyboard.press('Escape')

  await button(`Actions for ${partner}`).click()
  await page.getByRole('menuitem', { name: 'Send a test to me' }).click()
  await page.getByText('A test is on its way to you.', { exact: true }).waitFor()
  await region('Deliveries').getByText('Test', { exact: true }).waitFor()

  await outsider.page.goto(linkIn(sent.text, '/reports/unsubscribe/'))
  await outsider.page.getByRole('button', { name: 'Unsubscribe' }).click()
  await outsider.page.getByRole('heading', { name: 'Unsubscribed' }).waitFor()
  await page.reload()
  await region('Send to').getByText('Unsubscribed').waitFor()
  await outsider.leave()
})

journey('adds a channel, with errors at its fields, then disables and deletes it; for a Slack workspace, shows what to paste there', async () => {
  await openAs(page, service, '/settings/channels')
  await button('Add channel').click()
  const form = page.getByRole('dialog', { name: 'Add channel' })
  await form.getByLabel('Microsoft Teams').check()
  await form.getByLabel('Name', { exact: true }).fill('Sales team')
  await form.getByLabel('Workflow URL').fill('ftp://teams.example')
  await form.getByRole('button', { name: 'Add channel' }).click()
  await faultOf('Workflow URL').waitFor()
  await form.getByLabel('Workflow URL').fill('https://teams.example/workflows/secret-part')
  await form.getByRole('button', { name: 'Add channel' }).click()
  const trial = page.getByRole('dialog', { name: 'Send a test message' })
  await trial.getByRole('button', { name: 'Send test message' }).click()
  await trial.getByRole('alert').getByText('The message was not accepted').waitFor()
  await expectAccessible(page)
  await trial.getByRole('button', { name: 'Not now' }).click()
  const channel = page.getByRole('list', { name: 'Channels' }).getByText('Sales team')
  await channel.waitFor()
  expect(await page.content()).not.toContain('secret-part')
  await expectAccessible(page)
  await button('Actions for Sales team').click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByText('Disabled by an admin.').waitFor()
  await button('Actions for Sales team').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete channel' }).click()
  await page.getByText('No channels yet').waitFor()

  await button('Add channel').click()
  await form.getByLabel('Slack workspace').check()
  await form.getByLabel('Name', { exact: true }).fill('Our Slack')
  await form.getByLabel('Bot token').fill('xoxb-test-token')
  await form.getByLabel('Signing secret').fill('short')
  await form.getByRole('button', { name: 'Add channel' }).click()
  await faultOf('Signing secret').waitFor()
  const secret = '0123456789abcdef0123456789abcdef'
  await form.getByLabel('Signing secret').fill(secret)
  await form.getByRole('button', { name: 'Add channel' }).click()
  await trial.getByRole('button', { name: 'Not now' }).click()

  const connection = page.getByRole('dialog', { name: 'Ask questions from Slack' })
  await connection.getByText('Waiting for Slack').waitFor()
  const requestUrl = (await connection.getByRole('group', { name: 'Request URL' }).textContent())!
  const manifest = JSON.parse((await connection.getByRole('group', { name: 'App manifest' }).textContent())!)
  expect(manifest.settings.event_subscriptions.request_url).toBe(requestUrl)
  await expectAccessible(page)

  const check = (signingSecret: string) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const data = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    const signature = `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${data}`).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature }
    return fetch(new URL(new URL(requestUrl).pathname, service.baseUrl), { method: 'POST', headers, body: data })
  }
  expect((await check('f'.repeat(32))).status).toBe(401)
  await connection.getByRole('button', { name: 'Check again' }).click()
  await connection.getByText('Wrong signature').waitFor()
  expect(await (await check(secret)).json()).toEqual({ challenge: 'abc' })
  await connection.getByRole('button', { name: 'Check again' }).click()
  await connection.getByText('Ready', { exact: true }).waitFor()
  await connection.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Answers questions').waitFor()
  expect(await page.content()).not.toContain(secret)
})

journey('sends each store its own board, previews it, sends it again, and posts it to a Slack channel', async () => {
  await openAs(page, service, '/')
  const { request } = page
  const manager = 'manager@partner.test'
  const storeParameter = { name: 'store', displayName: 'Store', type: 'text', defaultValue: 'none', description: '' }
  const post = async <Answer,>(path: string, data: object = {}) => (await (await request.post(`/app/api/${path}`, { data })).json()) as Answer
  const tile = await storeQueryWithReference(page, { title: 'Store of the report', sql: "select {{store}} || ' store' as shown" })
  await request.patch(`/app/api/references/${tile}`, { data: { parameters: [storeParameter] } })
  const list = await storeQueryWithReference(page, {
    title: 'Store managers',
    sql: `select '${service.email}' as address, 'North' as place union all select '${manager}', 'South' order by 2`,
  })
  const { id: runId } = await post<{ id: string }>(`references/${list}/runs`, { parameterValues: {} })
  await expect.poll(async () => ((await (await request.get(`/app/api/runs/${runId}`)).json()) as { status: string }).status).toBe('completed')
  const tiles = [{ kind: 'reference', referenceShortId: tile, x: 0, y: 0, width: 12, height: 6, parameterMapping: { store: 'store' } }]
  await post('boards', { title: 'Board of a store', parameters: [storeParameter], tiles })
  const id = await storeAutomation(page, { name: 'Told to stores', sql: 'select 1 as one' })

  await page.goto(`/automations/${id}`)
  await region('Send to').getByRole('button', { name: 'Add recipients' }).click()
  const form = page.getByRole('dialog', { name: 'Add recipients' })
  await form.getByLabel('A board').check()
  await form.getByLabel('Board', { exact: true }).selectOption('Board of a store')
  await form.getByLabel('Parameters').selectOption({ label: 'From a query: one recipient per row' })
  await form.getByRole('searchbox', { name: 'Query: search' }).fill('Store managers')
  await form.getByRole('button', { name: 'Store managers', exact: true }).click()
  await form.getByLabel('Column with e-mail addresses').selectOption('address')
  await form.getByLabel('Column for Store').selectOption('place')
  await form.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'Preview' })
  await preview.frameLocator('iframe').getByText('North store').waitFor()
  await preview.getByLabel('2 recipients').selectOption({ label: `${manager} (South)` })
  await preview.frameLocator('iframe').getByText('South store').waitFor()
  await preview.getByText(`Nothing is sent to ${manager} yet. The address isn’t confirmed yet.`).waitFor()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Add recipients' }).click()
  await region('Send to').getByText('everyone in a query').waitFor()

  const received = async () => (await service.emails()).filter(({ text }) => text.includes('Board of a store')).length
  await request.post(`/app/api/automations/${id}/runs`)
  await expect.poll(received, { timeout: 20_000 }).toBe(1)
  await page.reload()
  await region('Deliveries').getByRole('button', { name: new RegExp(`Sent.*${service.email}`) }).click()
  const delivery = page.getByRole('dialog', { name: `To ${service.email}` })
  await delivery.frameLocator('iframe').getByText('North store').waitFor()
  await delivery.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Sending it again.', { exact: true }).waitFor()
  await expect.poll(received, { timeout: 20_000 }).toBe(2)
  await expect.poll(() => delivery.getByText('Accepted').count(), { timeout: 20_000 }).toBe(2)

  await page.goto('/settings/channels')
  await button('Add channel').click()
  const adding = page.getByRole('dialog', { name: 'Add channel' })
  await adding.getByLabel('Slack workspace').check()
  await adding.getByLabel('Name', { exact: true }).fill('Shop on Slack')
  await adding.getByLabel('Bot token').fill('xoxb-test-token')
  await adding.getByRole('button', { name: 'Add channel' }).click()
  const trial = page.getByRole('dialog', { name: 'Send a test message' })
  await trial.getByLabel('Slack channel').selectOption('#ops')
  await trial.getByRole('button', { name: 'Send test message' }).click()
  await trial.getByText('The bot is not a member of the conversation. Invite it in Slack.').waitFor()
  await trial.getByLabel('Slack channel').selectOption('#sales')
  await trial.getByRole('button', { name: 'Send test message' }).click()
  await trial.getByText('Sent. Look for').waitFor()
  await trial.getByRole('button', { name: 'Done' }).click()

  await page.goto(`/automations/${id}`)
  await region('Send to').getByRole('button', { name: 'Add recipients' }).click()
  await form.getByLabel('A board').check()
  await form.getByLabel('Board', { exact: true }).selectOption('Board of a store')
  await form.getByLabel('Send to').selectOption({ label: 'Shop on Slack (Slack workspace)' })
  await form.getByRole('button', { name: 'Add recipients' }).click()
  await form.getByText('Must be one of the channel’s conversations').waitFor()
  await form.getByLabel('Slack channel').selectOption('#sales')
  await form.getByRole('button', { name: 'Preview' }).click()
  const message = preview.getByRole('article', { name: 'Slack message' })
  await message.getByRole('heading', { name: 'Board of a store' }).waitFor()
  await message.getByText('none store').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Add recipients' }).click()
  await button('Actions for #sales (Shop on Slack)').click()
  await page.getByRole('menuitem', { name: 'Send a test to the channel' }).click()
  await region('Deliveries').getByRole('button', { name: /Sent.*Shop on Slack/ }).click({ timeout: 20_000 })
  await page.getByRole('dialog', { name: 'To Shop on Slack' }).getByRole('article', { name: 'Slack message' }).getByText('none store').waitFor()
})

journey('sends to a group, previews its members, and says that it was deleted', async () => {
  await openAs(page, service, '/')
  const { request } = page
  const id = await storeAutomation(page, { name: 'Numbers for a team', sql: 'select 7 as lucky' })
  const { user } = (await (await request.get('/app/api/session')).json()) as { user: { id: string } }
  const added = await request.post('/app/api/groups', { data: { name: 'Crew', memberIds: [user.id] } })
  const group = (await added.json()) as { id: string }
  await request.post(`/app/api/automations/${id}/runs`)
  await page.goto(`/automations/${id}`)
  await region('History').getByText('Completed').first().waitFor()

  await region('Send to').getByRole('button', { name: 'Add recipients' }).click()
  const form = page.getByRole('dialog', { name: 'Add recipients' })
  await form.getByRole('searchbox', { name: 'Recipients' }).fill('crew')
  await form.getByRole('button', { name: 'Crew Group, 1 member' }).click()
  await form.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('dialog', { name: 'Preview' }).getByLabel('1 recipient').getByText(service.email).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Add recipients' }).click()
  await region('Send to').getByText('Crew').waitFor()

  await request.delete(`/app/api/groups/${group.id}`)
  await page.reload()
  await region('Send to').getByText('Group was deleted').waitFor()
  await expectAccessible(page)
})
