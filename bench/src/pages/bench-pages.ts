import { visit } from '../../../test/e2e/browser.ts'
import { openAs } from '../../../test/e2e/steps.ts'
import { type BrowserWorld, makeBrowserWorld } from '../browser-world.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { median } from '../statistics.ts'

export const benchPages = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const visits = 11

/** Measures the time from the request until the recent results are clickable, in a browser with an empty cache. */
async function measureHome({ service, browser }: BrowserWorld): Promise<Measurement[]> {
  const first = await visit(browser, { baseURL: service.baseUrl })
  await openAs(first.page, service, '/')
  const storageState = await first.page.context().storageState()
  await first.leave()
  const home: number[] = []
  const bare: number[] = []
  for (let count = 0; count < visits; count++) {
    home.push(await timeOf('/', 'Top products'))
    bare.push(await timeOf('/docs/errors', 'route_retired'))
  }
  const ours = median(home)
  return [
    {
      what: `home page until it is usable, first visit, median of ${visits}`,
      unit: 'ms',
      ours,
      ceiling: { what: 'a page of the service without a script', value: median(bare) },
      goal: boundGoal({ value: ours, below: 1000, unit: 'ms' }),
      note: `slowest ${Math.round(Math.max(...home))} ms`,
    },
  ]

  async function timeOf(path: string, sign: string): Promise<number> {
    const visitor = await visit(browser, { baseURL: service.baseUrl, storageState })
    const startedMs = performance.now()
    await visitor.page.goto(path, { waitUntil: 'commit' })
    await visitor.page.getByRole('link', { name: sign }).or(visitor.page.getByRole('heading', { name: sign })).first().waitFor()
    const tookMs = performance.now() - startedMs
    await visitor.leave()
    return tookMs
  }
}

const benchmark = {
  name: 'pages',
  title: 'The pages in a real browser',
  limitMinutes: 10,
  makeWorld: makeBrowserWorld,
  parts: { home: measureHome },
}
