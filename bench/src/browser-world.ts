import type { Browser } from 'playwright-core'
import { openBrowser } from '../../test/e2e/browser.ts'
import { type Service, startService } from '../../test/e2e/service.ts'

/** The service with the sample shop, and a browser. */
export interface BrowserWorld {
  service: Service
  browser: Browser
  close(): Promise<void>
}

export async function makeBrowserWorld(): Promise<BrowserWorld> {
  const [service, browser] = await Promise.all([startService(), openBrowser()])
  return {
    service,
    browser,
    async close() {
      await browser.close()
      await service.stop()
    },
  }
}
