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
      // One process for all pages of a context, so that scripts are compiled once, not for each test.
      '--renderer-process-limit=1',
    ],
  })
}

let shared: Promise<Browser> | undefined

/**
 * The browser of this process, for all its test files: starting one and compiling the web app's scripts for the first page take more than
 * a CPU second. It ends with the process. A test with its own service or server opens its own browser, to close the connections before the
 * server stops.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = openBrowser()
  return shared!
}

/** A person with a clean browser. */
export interface Visitor {
  page: Page
  /** Responses with a status of 400 or more: `404 GET /q/…`. Some tests expect them. */
  refusals: string[]
  /** Browser errors that a test expects. */
  expectErrors(pattern: RegExp): void
  /** Fails if the console shows an error, a policy violation or an uncaught exception. */
  leave(): Promise<void>
}

/**
 * Visitors with only these options reuse the context of an earlier visitor, cleared of cookies, permissions and local storage. It keeps
 * its cache and compiled scripts, which saves a CPU second. Others get a new context.
 */
const reusableOptions = new Set(['baseURL', 'viewport', 'colorScheme', 'permissions'])

interface VisitedContext {
  context: BrowserContext
  leave(): Promise<void>
}

export async function visit(browser: Browser, options: BrowserContextOptions & { baseURL: string }): Promise<Visitor> {
  const isReusable = Object.keys(options).every((name) => reusableOptions.has(name))
  const { context, leave } = isReusable ? await takeContext(browser, options.baseURL) : await newContext(browser, options)
  const page = await context.newPage()
  if (isReusable) {
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
      if (unexpected.length > 0) throw new Error(`The browser reported errors:\n${unexpected.join('\n')}`)
    },
  }
}

async function newContext(browser: Browser, options: BrowserContextOptions): Promise<VisitedContext> {
  // Drawing the frames of transitions and spinners takes a sixth of a browser's CPU time.
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce', ...options })
  // As long as polled expectations wait: on a busy machine a page can take half a minute.
  context.setDefaultTimeout(60_000)
  return { context, leave: () => context.close() }
}

const freeContexts = new WeakMap<Browser, { baseURL: string; visited: VisitedContext }[]>()

async function takeContext(browser: Browser, baseURL: string): Promise<VisitedContext> {
  const free = freeContexts.get(browser) ?? []
  freeContexts.set(browser, free)
  const at = free.findIndex((other) => other.baseURL === baseURL)
  if (at !== -1) return free.splice(at, 1)[0]!.visited
  const { context } = await newContext(browser, { baseURL })
  // Keep an empty page open, because the process ends without one.
  const idlePage = await context.newPage()
  await idlePage.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await idlePage.goto('/')
  const visited = {
    context,
    async leave() {
      for (const page of context.pages()) if (page !== idlePage) await page.close()
      await context.setOffline(false)
      await context.clearCookies()
      await context.clearPermissions()
      await idlePage.evaluate(() => localStorage.clear())
      free.push({ baseURL, visited })
    },
  }
  return visited
}
