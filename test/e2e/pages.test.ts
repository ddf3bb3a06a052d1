import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { cellsOf, rowCountOf } from './sql.ts'
import { enterPassword, openAs, signIn, storeQueryWithReference } from './steps.ts'

/** The main pages in a real browser, with the sample shop. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('pages')
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

const askedWhoIsSignedIn = '401 GET /app/api/session'

async function shortIdOf(title: string): Promise<string> {
  const { items } = await service.api<{ items: { title: string; shortId: string }[] }>('GET', '/api/queries/refs?limit=100')
  const reference = items.find((item) => item.title === title)
  if (!reference) throw new Error(`The sample has no query called ${title}.`)
  return reference.shortId
}

/** The first and the last day of the twelve months before the current one. */
function twelveMonthsBefore(today: Date): { start: string; end: string } {
  const dayOf = (year: number, day: number) => new Date(Date.UTC(year, today.getUTCMonth(), day)).toISOString().slice(0, 10)
  const year = today.getUTCFullYear()
  return { start: dayOf(year - 1, 1), end: dayOf(year, 0) }
}

const fillForm = (password?: string) => enterPassword(page, service, password)
const openSignedIn = (path: string) => openAs(page, service, path)
const storeReference = (title: string, sql: string) => storeQueryWithReference(page, { title, sql })

describe('a permalink', () => {
  test('asks for sign-in, then shows the query and runs it with different values', async () => {
    const path = `/q/${await shortIdOf('Biggest orders')}`
    const opened = await page.goto(`${path}?row_limit=3`)
    expect(opened?.status()).toBe(200)
    expect(await opened?.text()).not.toContain('Biggest orders')
    await fillForm()

    await page.getByRole('heading', { name: 'Biggest orders' }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`${path}?row_limit=3`)
    await page.getByRole('heading', { name: 'No results yet' }).waitFor()
    await expect.poll(() => page.getByLabel('Rows', { exact: true }).inputValue()).toBe('3')
    const period = twelveMonthsBefore(new Date())
    await page.getByRole('button', { name: /^Period Last 12 months / }).click()
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe(period.start)
    await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe(period.end)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByText('3 rows', { exact: true }).waitFor()
    expect(await rowCountOf(page)).toBe(3)
    expect((await cellsOf(page, 0))[0]).toMatch(/^\d+$/)

    await page.getByLabel('Rows', { exact: true }).fill('5')
    await page.getByText('These results use different values.').waitFor()
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByText('5 rows', { exact: true }).waitFor()
    expect(await rowCountOf(page)).toBe(5)
    expect(new URL(page.url()).search).toBe('?row_limit=5')
    await page.getByText('Executed SQL').click()
    await page.getByText(`between DATE '${period.start}' and DATE '${period.end}'`).waitFor()
    await page.getByText('limit 5').waitFor()

    // The link opens the result with its values, whatever was run since.
    await page.goto(`${path}?row_limit=3`)
    await page.getByText('3 rows', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Refresh' }).waitFor()
    expect(visitor.refusals).toEqual([askedWhoIsSignedIn])
  })

  journey('shows a single number', async () => {
    await openSignedIn(`/q/${await shortIdOf('Refund rate of a warehouse')}`)
    await page.getByRole('button', { name: 'Run query' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    const number = result.locator('p').filter({ hasText: /^\d+(\.\d)?%refund_rate_percent$/ })
    await number.waitFor()
    expect(Number.parseFloat((await number.textContent())!)).toBeGreaterThan(0)
    expect((await cellsOf(page, 0))[1]).toMatch(/^\d+(\.\d)?%$/)
  })

  journey('shows the service’s message about an invalid value', async () => {
    const shortId = await shortIdOf('Biggest orders')
    await openSignedIn(`/q/${shortId}?period=soon`)
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByRole('alert').getByText('The value of the parameter "period" does not fit its type dateRange').waitFor()
    expect(visitor.refusals).toEqual([`422 POST /app/api/references/${shortId}/runs`])
  })

  journey('shows the engine’s message when a run fails', async () => {
    await signIn(page, service)
    await page.goto(`/q/${await storeReference('Broken', 'select no_such_column from orders')}`)
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByRole('alert').getByText('no_such_column').waitFor()
    await page.reload()
    await page.getByRole('alert').getByText('no_such_column').waitFor()
    expect(visitor.refusals).toEqual([])
  })

  test('shows the progress of a run to everyone who opens the page, and stops it', async () => {
    await signIn(page, service)
    const sql = 'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3'
    await page.goto(`/q/${await storeReference('Endless', sql)}`)
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByRole('status').getByText('Running…').waitFor()
    await page.reload()
    await page.getByRole('status').getByText('Running…').waitFor()
    expect(await page.getByRole('button', { name: 'Run query' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('status').getByText(/^Stopped by /).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Run query' }).isEnabled()).toBe(true)
  })

  journey('shows all rows and downloads them', async () => {
    await signIn(page, service)
    await page.goto(`/q/${await storeReference('Many', 'select i as n from range(1200) r (i)')}`)
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByText('1,200 rows', { exact: true }).waitFor()
    expect(await rowCountOf(page)).toBe(1200)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: /^JSON Fields/ }).click()
    const file = await (await downloading).path()
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ rowCount: 1200, rows: { length: 1200 } })
  })

  test('to a deleted reference answers 404 and says so, before and after signing in', async () => {
    await signIn(page, service)
    const shortId = await storeReference('Gone', 'select 1')
    await service.api('DELETE', `/api/queries/refs/${shortId}`)
    const opened = await page.goto(`/q/${shortId}`)
    expect(opened?.status()).toBe(404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(visitor.refusals).toEqual([`404 GET /q/${shortId}`])

    await page.context().clearCookies()
    expect((await page.goto(`/q/${shortId}`))?.status()).toBe(404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})

test('a wrong password is refused in the service’s words, and the right one then lets in', async () => {
  await page.goto('/account')
  await fillForm('wrong horse battery')
  await page.getByRole('alert').getByText('The e-mail or the password is wrong').waitFor()
  await fillForm()
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/account')
  expect(visitor.refusals).toEqual([askedWhoIsSignedIn, '401 POST /app/api/session'])
})

journey('a forgotten password without e-mail: people ask an administrator, who is shown the command', async () => {
  // The shared service can send e-mail; this is the answer of one that can't.
  await page.route('**/app/api/sign-in-options', (route) => route.fulfill({ json: { oidc: null, canResetPassword: false } }))
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByText('Ask your administrator for a reset link.').waitFor()
  const command = page.getByRole('group', { name: 'Command for administrators' })
  await expect.poll(() => command.textContent()).toBe('npx querypost reset-password you@example.com')
  expect(await page.getByLabel('E-mail').count()).toBe(0)
})

test('signing out ends the session, and the pages ask to sign in again', async () => {
  await openSignedIn('/')
  await page.getByRole('button', { name: service.email }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect((await page.request.get('/app/api/session')).status()).toBe(401)
  await page.goto('/account')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('a session that ends under an open page leads to sign-in and back', async () => {
  const path = `/q/${await shortIdOf('Revenue by week')}`
  await openSignedIn(path)
  await page.getByRole('heading', { name: 'Revenue by week' }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillForm()
  await page.getByRole('heading', { name: 'Revenue by week' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
})

journey('the list of queries loads more on scrolling, and opens them', async () => {
  await signIn(page, service)
  for (let n = 1; n <= 20; n++) await storeReference(`Number ${n}`, `select ${n}`)
  await page.goto('/queries')
  await page.getByRole('link', { name: 'Number 20' }).waitFor()
  // More queries load when the end of the list is scrolled into view.
  await page.getByRole('list', { name: 'Queries' }).getByRole('listitem').nth(19).scrollIntoViewIfNeeded()
  await page.getByRole('link', { name: 'Revenue by week' }).first().click()
  await page.getByRole('heading', { name: 'Revenue by week' }).waitFor()
  await page.getByRole('button', { name: /^Period Last 104 weeks / }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Number 20' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/queries')
})

journey('the list of errors is a page of its own', async () => {
  await page.goto('/docs/errors#route_retired')
  await page.getByRole('heading', { name: 'route_retired' }).waitFor()
  expect(visitor.refusals).toEqual([])
})
