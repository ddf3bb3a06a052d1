import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../../test/e2e/browser.ts'
import { type BuiltPage, startBuiltPage } from '../built-page.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { median } from '../statistics.ts'

export const benchCharts = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

interface World {
  charts: BuiltPage
  browser: Browser
  close(): Promise<void>
}

async function makeWorld(): Promise<World> {
  const [charts, browser] = await Promise.all([startBuiltPage(new URL('page/', import.meta.url)), openBrowser()])
  return {
    charts,
    browser,
    async close() {
      await browser.close()
      await charts.stop()
    },
  }
}

declare global {
  // Defined in `page/draw.tsx`.
  var draw: (count: number) => Promise<number>
}

const drawings = 5

async function measureSize({ charts }: World): Promise<Measurement[]> {
  const kilobytes = (charts.scriptSizes.get('drawn-chart') ?? 0) / 1000
  return [{ what: 'scripts loaded with the first chart, gzipped', unit: 'kB', ours: kilobytes, goal: boundGoal({ value: kilobytes, below: 300, unit: 'kB' }) }]
}

/** A line over time: the time from the rows to the frame after the drawing, and the frames while the pointer moves and drags over it. */
async function measureLine({ charts, browser }: World): Promise<Measurement[]> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.goto(charts.baseUrl)
  await page.waitForFunction(() => 'draw' in globalThis)
  await page.evaluate(() => globalThis.draw(100))
  const measurements: Measurement[] = []
  for (const count of [10_000, 100_000]) {
    const times: number[] = []
    for (let at = 0; at < drawings; at++) times.push(await page.evaluate((rows) => globalThis.draw(rows), count))
    const points = `${count.toLocaleString('en-US')} points`
    measurements.push({ what: `draw a line of ${points}, median of ${drawings}`, unit: 'ms', ours: median(times) })
    measurements.push({ what: `frames while the pointer moves over ${points}`, unit: 'frames/s', ours: await framesPerSecond(page, { isDragging: false }) })
    measurements.push({ what: `frames while dragging to zoom ${points}`, unit: 'frames/s', ours: await framesPerSecond(page, { isDragging: true }) })
  }
  await page.close()
  return measurements
}

const steps = 120

async function framesPerSecond(page: Page, { isDragging }: { isDragging: boolean }): Promise<number> {
  const box = (await page.locator('[data-chart]').boundingBox())!
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + 100, y)
  if (isDragging) await page.mouse.down()
  await page.evaluate(() => {
    const counted = { frames: 0, startedMs: performance.now() }
    Object.assign(globalThis, { counted })
    const count = () => {
      counted.frames++
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  })
  await page.mouse.move(box.x + box.width - 60, y, { steps })
  const frames = await page.evaluate(() => {
    const { counted } = globalThis as unknown as { counted: { frames: number; startedMs: number } }
    return (counted.frames * 1000) / (performance.now() - counted.startedMs)
  })
  if (isDragging) await page.mouse.up()
  return frames
}

const benchmark = {
  name: 'charts',
  title: 'Charts in a real browser',
  limitMinutes: 10,
  makeWorld,
  parts: { size: measureSize, line: measureLine },
}
