import type { Browser, Page, Response } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { describeJourneys, journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { openAs } from './steps.ts'

/** The layout of all pages: navigation, theme, lost connection, and the cost of a first visit. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('shell')
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

const pathNow = () => new URL(page.url()).pathname
const firstQuery = () => page.getByRole('link', { name: /Top products/ }).first()

test('opens pages and queries from the command menu, and marks the current page', async () => {
  await openAs(page, service, '/')
  await firstQuery().waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('databases')
  await page.getByRole('option', { name: /Databases/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Databases', level: 1 }).waitFor()
  expect(pathNow()).toBe('/databases')
  expect(await page.getByRole('link', { name: 'Databases' }).getAttribute('aria-current')).toBe('page')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('biggest')
  await page.getByRole('option', { name: /Biggest orders/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('option', { name: 'Ask: biggest' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Biggest orders' }).waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('no such page')
  await page.getByRole('option', { name: 'Ask: no such page' }).waitFor()
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

journey('follows the system theme until one is chosen, and keeps the choice', async () => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await openAs(page, service, '/')
  await firstQuery().waitFor()
  const dark = await paper()
  await expectAccessible(page)
  await page.getByRole('button', { name: new RegExp(service.email) }).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await expect.poll(paper).not.toBe(dark)
  await page.reload()
  await firstQuery().waitFor()
  expect(await paper()).not.toBe(dark)
  await expectAccessible(page)
})

test('opens the navigation with a button on a phone', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openAs(page, service, '/')
  await firstQuery().waitFor()
  await expectNoSidewaysScrolling(page)
  const centers = await page.getByRole('banner').locator('svg:visible').evaluateAll((icons) =>
    icons.map((icon) => icon.getBoundingClientRect()).map(({ top, height }) => Math.round(top + height / 2)),
  )
  expect(new Set(centers).size, 'menu, brand and bell are on one line').toBe(1)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Automations' }).click()
  await page.getByRole('heading', { name: 'Automations', level: 1 }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expectNoSidewaysScrolling(page)
})

test('shows a lost connection, and recovers without a reload', async () => {
  visitor.expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch/)
  await openAs(page, service, '/')
  await firstQuery().waitFor()
  await page.context().setOffline(true)
  await page.getByRole('status').getByText('Connection lost. Reconnecting…').waitFor()
  await page.context().setOffline(false)
  await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Chats', exact: true }).click()
  await page.getByRole('heading', { name: 'Chats', level: 1 }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('shows a not-found page for an unknown path', async () => {
  const opened = await page.goto('/no/such/page')
  expect(opened?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await expectAccessible(page)
})

test('blocks inline and external scripts with its content security policy', async () => {
  const opened = await page.goto('/sign-in')
  const policy = opened!.headers()['content-security-policy']!
  expect(policy).not.toMatch(/unsafe/)
  expect(policy).toContain("script-src 'self';")
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  visitor.expectErrors(/Content Security Policy/)
  const outcome = await page.evaluate(async () => {
    const inline = document.createElement('script')
    inline.textContent = 'globalThis.wasRun = true'
    document.head.append(inline)
    const elsewhere = await new Promise((resolve) => {
      const script = document.createElement('script')
      script.addEventListener('load', () => resolve('loaded'))
      script.addEventListener('error', () => resolve('refused'))
      script.src = 'https://elsewhere.test/script.js'
      document.head.append(script)
    })
    return { wasRun: 'wasRun' in globalThis, elsewhere }
  })
  expect(outcome).toEqual({ wasRun: false, elsewhere: 'refused' })
})

describeJourneys('the documentation', () => {
  // Found by its element: finding it by its role reads the whole page, with more than a hundred operations, at each step.
  const operation = (operationId: string) => page.locator(`section.operation[aria-labelledby="${operationId}"]`)

  journey('is linked in the navigation, follows the chosen theme, and is searched with the keyboard', async () => {
    await openAs(page, service, '/')
    await firstQuery().waitFor()
    await page.getByRole('button', { name: new RegExp(service.email) }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Documentation' }).click()
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')

    // The page's script makes the field a combobox.
    await page.getByRole('search').getByRole('combobox').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('cursor_expired')
    const found = page.getByRole('search').getByRole('option', { name: /cursor_expired/ }).first()
    await found.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await found.waitFor({ state: 'hidden' })
    await page.keyboard.type(' cursor')
    await found.waitFor()
    // Results that arrive after the key select nothing again.
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown')
        return await found.getAttribute('aria-selected')
      })
      .toBe('true')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors#cursor_expired')
    await page.getByRole('heading', { name: 'cursor_expired', exact: true }).waitFor()
  })

  journey('shows examples in the chosen language on every page, and copies them', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/docs/api/me')
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    const example = page.getByRole('tabpanel', { name: 'TypeScript' })
    await example.hover()
    await example.getByRole('button', { name: 'Copy' }).click()
    await example.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('await client.me()')
    await expectAccessible(page)
    await page.goto('/docs/api/saved-queries')
    await page.getByRole('link', { name: 'Next Queries' }).click()
    await page.getByRole('heading', { name: 'Queries', level: 1 }).waitFor()
    await page.getByRole('tabpanel', { name: 'TypeScript' }).first().waitFor()
    expect(await page.getByText('client.queries.get(queryId)').isVisible()).toBe(true)
  })

  journey('opens its pages and outline with buttons on a phone, and scrolls only tables and code sideways', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/docs/api/queries')
    await expectNoSidewaysScrolling(page)
    await page.getByRole('button', { name: 'Pages' }).click()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'References', exact: true }).click()
    await page.getByRole('heading', { name: 'References', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'On this page' }).click()
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Parameters' }).click()
    await page.getByRole('heading', { name: 'Parameters' }).waitFor()
    await expectNoSidewaysScrolling(page)
  })

  journey('has an API reference that sends requests with the reader’s key', async () => {
    await page.goto('/docs/api#me.get')
    const route = operation('me.get')
    await expect.poll(() => route.getByRole('tab').allTextContents()).toEqual(['curl', 'TypeScript', 'Python'])
    await route.getByRole('tab', { name: 'Python' }).click()
    expect(await route.getByText('from urllib.request').isVisible()).toBe(true)
    await page.reload()
    expect(await route.getByText('from urllib.request').isVisible()).toBe(true)
    await expect.poll(() => route.getByRole('tabpanel').count()).toBe(1)

    await route.getByText('Try it').click()
    await route.getByLabel('API key', { exact: true }).fill('qp_live_wrong')
    await page.keyboard.press('Enter')
    await route.getByRole('status').filter({ hasText: /^401 Unauthorized · \d+ ms/ }).waitFor()
    expect(await route.getByRole('link', { name: 'unauthenticated' }).last().isVisible()).toBe(true)

    await route.getByLabel('API key', { exact: true }).fill(service.apiKey)
    await route.getByRole('button', { name: 'Send request' }).click()
    await route.getByRole('status').filter({ hasText: /^200 OK · \d+ ms/ }).waitFor()
    await route.getByText(`"${service.email}"`).waitFor()
    await route.getByText(/^\d+ headers$/).click()
    await route.getByText(/x-request-id: req_/).waitFor()
    expect(page.url()).not.toContain('qp_live')
    expect(visitor.refusals).toEqual(['401 GET /api/me'])

    const list = operation('queries.list')
    await list.getByText('Try it').click()
    await list.getByLabel('limit').fill('1')
    await list.getByRole('button', { name: 'Send request' }).click()
    await list.getByRole('status').filter({ hasText: /^200 OK/ }).waitFor()
    await list.getByText(/"nextCursor"/).last().waitFor()

    const stream = operation('events.stream')
    await stream.getByText('Try it').click()
    await stream.getByRole('button', { name: 'Send request' }).click()
    await stream.getByText('event: ready').waitFor()
    await stream.getByRole('button', { name: 'Stop' }).click()
    await stream.getByRole('status').filter({ hasText: 'Stopped' }).waitFor()
    // Checking hundreds of other routes with the same markup takes half a minute of CPU time.
    await page.locator('section.operation').evaluateAll((sections, shown) => {
      for (const section of sections) if (!shown.includes(section.getAttribute('aria-labelledby')!)) section.remove()
    }, ['me.get', 'queries.list', 'events.stream'])
    await expectAccessible(page)
  })

  journey('has an API reference that is read on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/docs/api')
    await page.getByRole('button', { name: 'Pages' }).click()
    const route = operation('references.update')
    await page.getByRole('navigation', { name: 'Pages' }).locator('[href="#references.update"]').click()
    await route.getByRole('heading', { name: 'Body' }).scrollIntoViewIfNeeded()
    await expectNoSidewaysScrolling(page)
    await route.getByText('Try it').click()
    await expect.poll(() => route.getByLabel('Body').inputValue()).toContain('"title"')
    await route.getByLabel('Body').fill('{')
    await route.getByLabel('API key', { exact: true }).fill(service.apiKey)
    await route.getByRole('button', { name: 'Send request' }).click()
    expect(await route.getByLabel('Body').evaluate((field: HTMLTextAreaElement) => field.validationMessage)).toContain('valid JSON')
  })

  journey('can be read and searched without JavaScript', async () => {
    const plain = await visit(browser, { baseURL: service.baseUrl, javaScriptEnabled: false })
    await plain.page.goto('/docs')
    await plain.page.getByRole('searchbox').fill('route_retired')
    await plain.page.keyboard.press('Enter')
    await plain.page.getByRole('link', { name: /route_retired/ }).first().click()
    await plain.page.getByRole('heading', { name: 'route_retired' }).waitFor()
    expect(new URL(plain.page.url()).pathname).toBe('/docs/errors')
    await plain.page.goto('/docs/api#queries.list')
    await plain.page.getByText('from urllib.request').first().waitFor()
    expect(await plain.page.getByText('Try it').first().isVisible()).toBe(false)
    await plain.leave()
  })
})

describe('a first visit', () => {
  const budgetBytes = 200_000

  test('loads less than 200 kB of scripts, without the editor and the charts', async () => {
    await openAs(page, service, '/')
    await firstQuery().waitFor()
    const fresh = await visit(browser, { baseURL: service.baseUrl, storageState: await page.context().storageState() })
    const scripts: Response[] = []
    fresh.page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response)
    })
    await fresh.page.goto('/', { waitUntil: 'networkidle' })
    await fresh.page.getByRole('link', { name: /Top products/ }).first().waitFor()
    const sizes = await Promise.all(scripts.map(async (response) => (await response.request().sizes()).responseBodySize))
    const texts = await Promise.all(scripts.map((response) => response.text()))
    await fresh.leave()
    expect(scripts.length).toBeGreaterThan(0)
    for (const response of scripts) expect(response.headers()['content-encoding']).toBe('br')
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(budgetBytes)
    expect(texts.join('\n')).not.toMatch(/cm-editor|echarts/)
  })

  journey('is usable after less than a second of CPU time', async () => {
    await openAs(page, service, '/')
    await firstQuery().waitFor()
    const fresh = await visit(browser, { baseURL: service.baseUrl, storageState: await page.context().storageState() })
    const session = await fresh.page.context().newCDPSession(fresh.page)
    // CPU time of the page, so that other load on the machine doesn't count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await fresh.page.goto('/', { waitUntil: 'commit' })
    await fresh.page.getByRole('link', { name: /Top products/ }).first().waitFor()
    const { metrics } = await session.send('Performance.getMetrics')
    await fresh.leave()
    const busySeconds = metrics.find(({ name }) => name === 'TaskDuration')!.value
    expect(busySeconds).toBeGreaterThan(0.01)
    expect(busySeconds).toBeLessThan(1)
  })
})
