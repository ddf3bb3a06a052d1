import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { newOrganization, type Organization } from './organization.ts'
import { cellsOf, writeSql } from './sql.ts'
import { joinAsMember, signIn, storeAutomation, storeQueryWithReference } from './steps.ts'

/**
 * The flows that other tests run as an admin, run as a member, who can do all of this too. The tests of databases, webhooks, agent
 * settings and people cover what members can only view. The audit log is covered here.
 */
let service: Organization
let browser: Browser
let admin: Visitor
let member: Visitor
let page: Page
/** The member's session cookies, used by every test. */
let session: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('member')
  admin = await visit(browser, { baseURL: service.baseUrl })
  await signIn(admin.page, service)
  const joining = await visit(browser, { baseURL: service.baseUrl })
  await joinAsMember(joining.page, admin.page, { name: 'Grace' })
  session = await joining.page.context().cookies()
  await joining.leave()
})
afterAll(() => admin?.leave())
beforeEach(async () => {
  member = await visit(browser, { baseURL: service.baseUrl, permissions: ['clipboard-read', 'clipboard-write'] })
  page = member.page
  await page.context().addCookies(session)
})
afterEach(() => member.leave())

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const titles = () => page.getByRole('list', { name: 'Queries' }).getByRole('link')
const messages = () => page.getByRole('list', { name: 'Messages' })
const endless = 'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3'
const patiently = { timeout: 30_000 }

test('a member and an admin discuss a value and a tile in comments', async () => {
  const shortId = await storeQueryWithReference(page, { title: 'Discussed', sql: `select 'Germany' as country, 1234 as revenue` })
  await page.goto(`/q/${shortId}`)
  await button('Run query').click()
  await page.getByRole('gridcell', { name: '1,234' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Comment on this value' }).click()
  await page.getByText('The value is 1,234.').waitFor()
  await page.keyboard.type('**Why?** @')
  await page.getByRole('listbox', { name: 'People to mention' }).getByRole('option').filter({ hasText: service.email }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('please check')
  await page.keyboard.press('Control+Enter')
  const thread = page.getByRole('article', { name: 'Thread of Grace' })
  await thread.getByText(/The value was 1,234 on /).waitFor()
  await thread.getByText(/^Why\? @.+ please check$/).waitFor()
  await button('Comments 1 open').waitFor()
  await expectAccessible(page)

  // The mention leads to the thread, and the reply appears on the member's open page.
  await admin.page.goto('/notifications')
  await admin.page.getByRole('link', { name: /^You were mentioned/ }).click()
  const linked = admin.page.getByRole('article', { name: 'Thread of Grace' })
  await linked.getByRole('button', { name: 'Reply' }).click()
  await admin.page.keyboard.type('Refunds were late.')
  await admin.page.keyboard.press('Control+Enter')
  await thread.getByText('Refunds were late.').waitFor()
  await button('Actions for the comment of Grace').click()
  await page.getByRole('menuitem', { name: 'Edit comment' }).click()
  await page.getByRole('textbox', { name: 'Edit comment' }).fill('Now I see.')
  await button('Save').click()
  await thread.getByText('edited').waitFor()
  await linked.getByText('Now I see.').waitFor()
  await linked.getByRole('button', { name: 'Resolve' }).click()
  await page.getByRole('heading', { name: 'No open comments' }).waitFor()
  await button(/^Resolved/).click()
  await thread.getByText(/^Resolved by /).waitFor()

  // On a phone, the comments of a tile open above the board.
  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
  const stored = await page.request.post('/app/api/boards', { data: { title: 'Discussed board', tiles: [tile] } })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/b/${((await stored.json()) as { shortId: string }).shortId}`)
  await button('Actions for Discussed').click()
  await page.getByRole('menuitem', { name: 'Comment on tile' }).click()
  const sheet = page.getByRole('dialog', { name: 'Comments' })
  await page.keyboard.type('Good week, @')
  await sheet.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await sheet.getByRole('button', { name: 'Comment', exact: true }).click()
  await sheet.getByRole('article').getByText('Good week, @').waitFor()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await button('1 open comment on Discussed').click()
  await sheet.getByRole('article').getByText('Good week, @').waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
})

test('a member writes a query, fixes it, stops a slow run, runs it with a parameter, and saves it', async () => {
  await page.goto('/queries/new')
  await writeSql(page, 'select no_such_column from orders')
  await button('Run query').click()
  await page.getByRole('alert').getByText('no_such_column').waitFor()
  await writeSql(page, endless)
  await button('Run query').click()
  await page.getByRole('status').getByText('Running…').waitFor()
  await button('Stop').click()
  await page.getByRole('status').getByText('Stopped by Grace').waitFor()

  await writeSql(page, 'select i as n from range(100) r (i) limit {{row_limit}}')
  await page.getByLabel('Row limit', { exact: true }).fill('5')
  await page.getByLabel('Row limit', { exact: true }).press('Enter')
  await page.getByText('5 rows', { exact: true }).waitFor()
  await button('Download').click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /^CSV For/ }).click()])
  expect(file.suggestedFilename()).toBe('select i as n from range.csv')
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('list', { name: 'Runs' }).getByText('Grace').first().waitFor()
  await button('Save query').click()
  await page.getByLabel('Title').fill('By a member')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By a member' }).waitFor()
  await expectAccessible(page)

  await admin.page.goto(new URL(page.url()).pathname + new URL(page.url()).search)
  await admin.page.getByText('5 rows', { exact: true }).waitFor()
  expect(await cellsOf(admin.page, 0)).toEqual(['0'])
})

test('a member searches the list, filters their own queries, and opens one', async () => {
  await storeQueryWithReference(page, { title: 'Of Grace alone', sql: 'select 1' })
  await page.goto('/queries')
  await titles().filter({ hasText: 'Revenue by week' }).waitFor()
  await page.getByRole('checkbox', { name: 'Only mine' }).check()
  await titles().filter({ hasText: 'Revenue by week' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Of Grace alone/ }).waitFor()
  await page.goto('/queries')
  await page.getByRole('searchbox', { name: 'Search queries' }).fill('biggest')
  await expect.poll(() => titles().count(), patiently).toBe(1)
  await titles().first().click()
  await page.getByRole('heading', { name: 'Biggest orders' }).waitFor()
})

test('a member edits the title, chart and values of another person’s permalink, and deletes and restores their own', async () => {
  const sql = 'select channel, count(*) as orders from orders group by channel order by channel limit {{most}}'
  const shortId = await storeQueryWithReference(admin.page, { title: 'Made by Ada', sql })
  const parameters = [{ name: 'most', type: 'number', displayName: 'Most', defaultValue: '3' }]
  await admin.page.request.patch(`/app/api/references/${shortId}`, { data: { parameters } })
  await page.goto(`/q/${shortId}?most=2`)
  await button('Run query').click()
  await page.getByText('2 rows', { exact: true }).waitFor()
  await button('Edit title').click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Changed by Grace')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Changed by Grace' }).waitFor()
  await button('Edit chart').click()
  const dialog = page.getByRole('dialog', { name: 'Edit chart' })
  await dialog.getByText('Bar', { exact: true }).click()
  await dialog.locator('[data-chart="bar"]').first().waitFor()
  await dialog.getByRole('button', { name: 'Save chart' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('[data-chart="bar"]').first().waitFor()
  await expectAccessible(page)
  expect((await page.request.get(`/q/${shortId}/chart.png?most=2`)).headers()['content-type']).toBe('image/png')
  await button('Copy link').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${service.baseUrl}/q/${shortId}?most=2`)

  const own = await storeQueryWithReference(page, { title: 'Short-lived', sql: 'select 1 as n' })
  await page.goto(`/q/${own}`)
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete query' }).click()
  await button('Undo').click()
  await page.getByRole('heading', { name: 'Short-lived' }).waitFor()
})

test('a member creates an automation, runs it, reads its chat, stops a run, and is notified of a failed one', async () => {
  await page.goto('/automations/new')
  await page.getByRole('link', { name: 'Weekly report' }).click()
  await page.getByRole('searchbox', { name: 'Queries to check' }).fill('top products')
  await button('Top products').waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).fill('Of Grace')
  await expect.poll(() => page.getByRole('region', { name: 'Next times' }).locator('time').count(), patiently).toBe(5)
  await button('Create automation').click()
  await page.getByRole('heading', { name: 'Of Grace' }).waitFor()
  await button('Run now').click()
  const summary = messages().locator('[data-kind=summary]')
  await summary.waitFor()
  await expectAccessible(page)
  // The event and its payload are for admins.
  expect(await page.getByRole('region', { name: 'Event' }).count()).toBe(0)
  await summary.getByRole('link').first().click()
  await page.waitForURL('**/runs/run_*')
  await page.getByRole('region', { name: 'Result' }).getByRole('row').nth(1).waitFor()
  await page.getByRole('link', { name: 'Chats', exact: true }).click()
  await page.getByRole('link', { name: /Of Grace/ }).waitFor()

  await page.goto(`/automations/${await storeAutomation(page, { name: 'Endless', sql: endless })}`)
  await button('Run now').click()
  await page.getByRole('status').getByText(/^Running “/).waitFor()
  await button('Stop').click()
  await messages().getByRole('status').getByText('Stopped by Grace').waitFor()

  // Replies to comments notify, too.
  await page.request.post('/app/api/notifications/read', { data: {} })
  const broken = await storeAutomation(page, { name: 'Broken', sql: 'select 1 from nowhere' })
  await page.request.post(`/app/api/automations/${broken}/runs`)
  await button('Notifications, 1 unread').click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: 'Run failed' }).click()
  await messages().getByRole('alert').getByText('The run failed').waitFor()
})

test('a member creates and revokes an API key', async () => {
  await page.goto('/account')
  await page.getByText('Permissions, groups, expiry and networks').click()
  await page.getByLabel('Write', { exact: false }).uncheck()
  await page.getByLabel('Expires').selectOption('In 30 days')
  await page.getByLabel('Allowed networks').fill('somewhere')
  await page.getByLabel('Key name').fill('Of Grace')
  await page.keyboard.press('Enter')
  await page.getByText(/Must be an address or a CIDR block/).waitFor()
  await expectAccessible(page)
  await page.getByLabel('Allowed networks').fill('127.0.0.0/8, ::1')
  await button('Create key').click()
  const shown = page.getByRole('region', { name: 'New API key' })
  const key = await shown.getByRole('group', { name: 'API key' }).textContent()
  const me = () => fetch(`${service.baseUrl}/api/me`, { headers: { authorization: `Bearer ${key}` } })
  expect(await (await me()).json()).toMatchObject({ user: { name: 'Grace' }, key: { name: 'Of Grace', scopes: ['read', 'run'] } })
  const item = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').filter({ hasText: 'Of Grace' })
  await item.getByText(/May read, run · expires .* · only from 127\.0\.0\.0\/8, ::1\/128/).waitFor()
  await button('Revoke Of Grace').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await button('Revoke Of Grace').waitFor({ state: 'detached' })
  expect((await me()).status).toBe(401)
})

test('admins filter, open and export the audit log of a member’s actions; members see whom to ask', async () => {
  const made = await page.request.post('/app/api/api-keys', { data: { name: 'Watched key' } })
  const { key } = (await made.json()) as { key: string }
  await fetch(`${service.baseUrl}/api/me`, { headers: { authorization: `Bearer ${key}` } })
  await page.request.patch('/app/api/account', { data: { name: 'Grace H.' } })
  await page.goto('/settings/audit-log')
  await page.getByRole('heading', { name: 'You don’t have access' }).waitFor()
  await page.getByText('Only admins can see the audit log.').waitFor()
  await expectAccessible(page)

  const log = admin.page
  // American times have an AM or PM, which must not be on a line of its own.
  await log.addInitScript(() => {
    const { DateTimeFormat } = Intl
    Intl.DateTimeFormat = class extends DateTimeFormat {
      constructor(locale?: string, options?: Intl.DateTimeFormatOptions) {
        super(locale ?? 'en-US', options)
      }
    } as typeof DateTimeFormat
  })
  await log.goto('/')
  await log.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit log' }).click()
  await log.getByRole('combobox', { name: 'Action' }).selectOption('account')
  await expect.poll(() => log.getByRole('table').getByRole('row').count(), patiently).toBe(2)
  await expectAccessible(log)
  const hour = await log.getByRole('table').locator('time').first().evaluate((time) => {
    const text = time.firstChild as Text
    const range = document.createRange()
    range.setStart(text, text.length - '5 PM'.length)
    range.setEnd(text, text.length)
    // However narrow its column is.
    time.style.display = 'inline-block'
    const lineCounts = Array.from({ length: 200 }, (_, width) => {
      time.style.width = `${width}px`
      return range.getClientRects().length
    })
    return { text: range.toString(), lines: Math.max(...lineCounts) }
  })
  expect(hour).toEqual({ text: expect.stringMatching(/^\d\s[AP]M$/), lines: 1 })
  await log.getByRole('link', { name: 'Account changed' }).press('Enter')
  const record = log.getByRole('dialog', { name: 'Record' })
  await record.getByRole('row', { name: 'Name Grace Grace H.' }).waitFor()
  await expectAccessible(log)
  await log.keyboard.press('Escape')
  await record.waitFor({ state: 'detached' })
  await log.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([log.waitForEvent('download'), log.getByRole('menuitem', { name: /^CSV/ }).click()])
  expect(file.suggestedFilename()).toMatch(/^audit-log-[\d-]+\.csv$/)

  await log.getByRole('tab', { name: 'API key usage' }).click()
  const used = log.getByRole('listitem').filter({ hasText: 'Watched key' })
  await used.getByRole('img', { name: /^1 requests? in 30 days/ }).waitFor()
  await used.getByText('1 route').click()
  await used.getByText('GET /api/me').waitFor()
  await expectAccessible(log)
})
