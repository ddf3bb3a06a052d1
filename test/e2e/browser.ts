import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/test-programs.mjs'

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) {
    throw new Error(
      'The end-to-end tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell), or say where it is: CHROMIUM_PATH=/path/to/chromium',
    )
  }
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // One process for all pages of a context: it compiles their scripts once, not once a test.
      '--renderer-process-limit=1',
    ],
  })
}

/** A person at a fresh browser. */
export interface Visitor {
  page: Page
  /** Answers with a status of 400 or more: `404 GET /q/…`. Some are what a test is about. */
  refusals: string[]
  /** Complaints of the browser that a test is about. */
  expectErrors(pattern: RegExp): void
  /** Fails when the console has told of an error or a violated policy, or one was not caught. */
  leave(): Promise<void>
}

/**
 * A context is left as if nobody had been there, and taken by the next visitor: what it has in its cache and its process has
 * compiled is a second of a processor. Who brings more than these options has a context of their own, with an empty cache.
 */
const lendable = new Set(['baseURL', 'viewport', 'colorScheme', 'permissions'])

interface Room {
  context: BrowserContext
  leave(): Promise<void>
}

export async function visit(browser: Browser, options: BrowserContextOptions & { baseURL: string }): Promise<Visitor> {
  const isLent = Object.keys(options).every((name) => lendable.has(name))
  const { context, leave } = isLent ? await lendRoom(browser, options.baseURL) : await ownRoom(browser, options)
  const page = await context.newPage()
  if (isLent) {
    const { viewport, colorScheme, permissions } = options
    if (permissions) await context.grantPermissions(permissions)
    if (viewport) await page.setViewportSize(viewport)
    if (colorScheme) await page.emulateMedia({ colorScheme })
  }
  const errors: string[] = []
  const refusals: string[] = []
  const expected: RegExp[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    const isAboutAnAnswer = message.text().startsWith('Failed to load resource: the server responded with a status of')
    if (['error', 'warning'].includes(message.type()) && !isAboutAnAnswer) errors.push(message.text())
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 400) refusals.push(`${response.status()} ${response.request().method()} ${pathname}`)
  })
  return {
    page,
    refusals,
    expectErrors: (pattern) => void expected.push(pattern),
    async leave() {
      await leave()
      const unexpected = errors.filter((error) => !expected.some((pattern) => pattern.test(error)))
      if (unexpected.length > 0) throw new Error(`The browser complained:\n${unexpected.join('\n')}`)
    },
  }
}

async function ownRoom(browser: Browser, options: BrowserContextOptions): Promise<Room> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options })
  return { context, leave: () => context.close() }
}

const emptyRooms = new WeakMap<Browser, { baseURL: string; room: Room }[]>()

async function lendRoom(browser: Browser, baseURL: string): Promise<Room> {
  const empty = emptyRooms.get(browser) ?? []
  emptyRooms.set(browser, empty)
  const at = empty.findIndex((other) => other.baseURL === baseURL)
  if (at !== -1) return empty.splice(at, 1)[0]!.room
  const { context } = await ownRoom(browser, { baseURL })
  // An empty page stays open in it, for without any its process would end.
  const caretaker = await context.newPage()
  await caretaker.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await caretaker.goto('/')
  const room = {
    context,
    async leave() {
      for (const page of context.pages()) if (page !== caretaker) await page.close()
      await context.setOffline(false)
      await context.clearCookies()
      await context.clearPermissions()
      await caretaker.evaluate(() => localStorage.clear())
      empty.push({ baseURL, room })
    },
  }
  return room
}
