import type { Browser, Page } from 'playwright-core'
import { visit } from '../../../test/e2e/browser.ts'
import { openAs } from '../../../test/e2e/steps.ts'
import { type BrowserWorld, makeBrowserWorld } from '../browser-world.ts'
import { type BuiltPage, startBuiltPage } from '../built-page.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { median } from '../statistics.ts'
import { chartJsx, rowCount, sqlOf, tileCount } from './large-board.ts'

export const benchBoardPage = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const visits = 9
const viewport = { width: 1440, height: 900 }

interface World extends BrowserWorld {
  alone: BuiltPage
}

async function makeWorld(): Promise<World> {
  const alone = await startBuiltPage(new URL('page/', import.meta.url))
  const world = await makeBrowserWorld()
  return {
    ...world,
    alone,
    async close() {
      await world.close()
      await alone.stop()
    },
  }
}

/**
 * Opens a board whose results are all stored, in a browser with an empty cache, and scrolls through it. In turns with it, a page that has
 * only the charts, as a ceiling.
 */
async function measureOpening({ service, browser, alone }: World): Promise<Measurement[]> {
  const first = await visit(browser, { baseURL: service.baseUrl, viewport })
  await openAs(first.page, service, '/')
  const storageState = await first.page.context().storageState()
  const shortId = await storeBoard(first.page)
  const [readable, bare, complete, longest, slowFrames]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []]
  let shownTiles = 0
  for (let count = 0; count < visits; count++) {
    const visitor = await visit(browser, { baseURL: service.baseUrl, storageState, viewport })
    const startedMs = performance.now()
    await visitor.page.goto(`/b/${shortId}`, { waitUntil: 'commit' })
    shownTiles = await visitor.page.evaluate(waitForTilesOnScreen)
    readable.push(performance.now() - startedMs)
    const scrolled = await visitor.page.evaluate(scrollThrough)
    complete.push(scrolled.tookMs)
    longest.push(scrolled.longestFrameMs)
    slowFrames.push(scrolled.slowFrameShare * 100)
    await visitor.leave()
    bare.push(await timeAlone(browser, alone))
  }
  await first.leave()
  const ours = median(readable)
  const about = `board of ${tileCount} tiles, ${rowCount.toLocaleString('en-US')} stored rows each`
  return [
    {
      what: `${about}: until the ${shownTiles} tiles on the screen are readable, median of ${visits}`,
      unit: 'ms',
      ours,
      ceiling: { what: 'these charts alone on an empty page', value: median(bare) },
      goal: boundGoal({ value: ours, below: 1000, unit: 'ms' }),
      note: `slowest ${Math.round(Math.max(...readable))} ms`,
    },
    { what: `${about}: scrolling to its end until all tiles are drawn`, unit: 'ms', ours: median(complete) },
    { what: `${about}: longest frame while scrolling`, unit: 'ms', ours: median(longest), note: `${median(slowFrames).toFixed(0)} % of frames over 50 ms` },
  ]
}

/** From the request of the page with only the charts until they are drawn. */
async function timeAlone(browser: Browser, { baseUrl }: BuiltPage): Promise<number> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const startedMs = performance.now()
  await page.goto(baseUrl, { waitUntil: 'commit' })
  await page.evaluate(waitForCharts)
  const tookMs = performance.now() - startedMs
  await context.close()
  return tookMs
}

/** Runs in the page. */
async function waitForCharts(): Promise<void> {
  while (!document.querySelector('[data-drawn]')) await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Resolves with the number of tiles on the screen once all of them are drawn. Runs in the page. */
async function waitForTilesOnScreen(): Promise<number> {
  for (;;) {
    const shown = [...document.querySelectorAll('[aria-label="Tiles"] > li')].filter((tile) => {
      const { top, bottom } = tile.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    })
    const drawn = shown.filter((tile) => Number(tile.querySelector<HTMLElement>('[data-drawn]')?.dataset['drawn'] ?? 0) > 0)
    if (shown.length > 0 && drawn.length === shown.length) return shown.length
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}

/** Scrolls down as somebody with a mouse wheel would, and watches the frames. Runs in the page. */
async function scrollThrough(): Promise<{ tookMs: number; longestFrameMs: number; slowFrameShare: number }> {
  const startedMs = performance.now()
  const frames: number[] = []
  for (let lastMs = startedMs, isDone = false; !isDone; ) {
    scrollBy(0, 60)
    const nowMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    frames.push(nowMs - lastMs)
    lastMs = nowMs
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
    isDone = isAtEnd && document.querySelector('[aria-label="Tiles"] .animate-pulse') === null
  }
  return {
    tookMs: performance.now() - startedMs,
    longestFrameMs: Math.max(...frames),
    slowFrameShare: frames.filter((ms) => ms > 50).length / frames.length,
  }
}

/** A board of line charts, each over its own query, with all results stored. */
async function storeBoard(page: Page): Promise<string> {
  const call = async <Answer>(method: string, path: string, data?: unknown): Promise<Answer> => {
    const answer = await page.request.fetch(`/app/api${path}`, { method, ...(data !== undefined && { data }) })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const { items } = await call<{ items: { id: string }[] }>('GET', '/databases')
  const visualization = {
    type: 'line',
    jsxConfig: chartJsx,
    marginConfig: {},
  }
  const tiles: object[] = []
  for (let at = 0; at < tileCount; at++) {
    const query = await call<{ id: string }>('POST', '/queries', { sql: sqlOf(at), analyticalDatabaseConfigId: items[0]!.id })
    const reference = await call<{ shortId: string }>('POST', '/references', { queryId: query.id, title: `Chart ${at + 1}`, visualization })
    const place = { x: (at % 3) * 4, y: Math.floor(at / 3) * 4, width: 4, height: 4 }
    tiles.push({ id: `tile-${at}`, kind: 'reference', referenceShortId: reference.shortId, ...place })
  }
  const { shortId } = await call<{ shortId: string }>('POST', '/boards', { title: 'Large board', tiles })
  let states = await call<{ tiles: { status: string }[] }>('POST', `/boards/${shortId}/refresh`, {})
  while (states.tiles.some(({ status }) => status === 'running')) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    states = await call('POST', `/boards/${shortId}/results`, {})
  }
  const failed = states.tiles.filter(({ status }) => status !== 'ready').length
  if (failed > 0) throw new Error(`${failed} of ${tileCount} tiles have no result.`)
  return shortId
}

const benchmark = {
  name: 'board-page',
  title: 'A large board in a real browser',
  limitMinutes: 10,
  makeWorld,
  parts: { opening: measureOpening },
}
