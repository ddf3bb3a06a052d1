import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
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
      // One process for all pages: it compiles the pages' scripts once, not once a test.
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

export async function visit(browser: Browser, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options })
  const page = await context.newPage()
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
      await context.close()
      const unexpected = errors.filter((error) => !expected.some((pattern) => pattern.test(error)))
      if (unexpected.length > 0) throw new Error(`The browser complained:\n${unexpected.join('\n')}`)
    },
  }
}
