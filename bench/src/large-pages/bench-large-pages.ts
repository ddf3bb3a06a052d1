import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Browser, Page } from 'playwright-core'
import { databaseFolder } from '@querypost/server/engines'
import { openBrowser } from '../../../test/e2e/browser.ts'
import { openAs } from '../../../test/e2e/steps.ts'
import { callApi, signIn } from '../api/caller.ts'
import { fillOrganization } from '../api/fill-lists.ts'
import { refreshToCompletedMs } from '../api/refresh.ts'
import { email, password } from '../api/service.ts'
import { makeWorld as makeApiWorld, type World as ApiWorld } from '../api/world.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { median } from '../statistics.ts'
import { bareStyles, makeBareGrid, sizeOfGrid } from './bare-grid.ts'
import { countMainThread } from './main-thread.ts'
import { type Frames, type Scrolling, watchFrames } from './watch-frames.ts'

/** Measures whether pages stay fluent and small, however much there is to show. */
export const benchLargePages = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const viewport = { width: 1280, height: 800 }
const listed = 100_000
/** How far somebody scrolls through a list, who should search instead. */
const scrolledTo = 3000
const tableCount = 5000
const columnsPerTable = 20
const resultRows = 1_000_000
const resultColumns = 200

interface World extends ApiWorld {
  browser: Browser
}

async function makeWorld(): Promise<World> {
  const world = await makeApiWorld({ environment: { RESULT_MAX_MB: '4096' } })
  const browser = await openBrowser()
  return {
    ...world,
    browser,
    async close() {
      await browser.close()
      await world.close()
    },
  }
}

async function openPage({ browser, service }: World, account: { email: string; password: string }, url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: `http://127.0.0.1:${service.port}`, viewport })
  const page = await context.newPage()
  await openAs(page, account, url)
  return page
}

/** What the page's scripts hold, after a collection. */
async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}

/** Headless Chromium draws 60 frames a second. */
const wantedFrames = 57

async function linesOf(page: Page, about: string, scrolled: Record<string, Frames>): Promise<Measurement[]> {
  const ours = await heapMb(page)
  return [
    ...Object.entries(scrolled).map(([how, frames]): Measurement => ({
      what: `${about}: ${how}`,
      unit: 'frames/s',
      ours: frames.perSecond,
      note: `longest ${Math.round(frames.longestMs)} ms`,
      goal: { text: `≥ ${wantedFrames}`, isMet: frames.perSecond >= wantedFrames },
    })),
    { what: `${about}: memory of its scripts`, unit: 'MB', ours, goal: boundGoal({ value: ours, below: 300, unit: 'MB' }) },
  ]
}

async function measureList(world: World): Promise<Measurement[]> {
  await fillOrganization(world, { name: 'large', size: listed })
  await world.sql(`update users set password_hash = (select password_hash from users where email = $1) where id = 'user_large'`, [email])
  const page = await openPage(world, { email: 'large@bench.test', password }, '/queries')
  const list = page.getByRole('list', { name: 'Queries' })
  await list.getByRole('listitem').first().waitFor()
  const atFirst = await page.evaluate(watchFrames, { selector: 'html', by: { y: 60 }, ms: 3000 })
  // Each page is loaded when the end of the list is in view.
  while ((await page.locator('[aria-label="Queries"] > li').count()) < scrolledTo) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.waitForTimeout(20)
  }
  const later = await page.evaluate(watchFrames, { selector: 'html', by: { y: 60 }, ms: 3000 })
  await page.evaluate(() => scrollTo(0, 0))
  const back = await page.evaluate(watchFrames, { selector: 'html', by: { y: 200 }, ms: 3000 })
  const scrolled = { 'scrolling from the first': atFirst, [`scrolling on after ${scrolledTo}`]: later, [`scrolling through ${scrolledTo}`]: back }
  return linesOf(page, `list of ${listed.toLocaleString('en-US')} saved queries`, scrolled)
}

async function measureSchema(world: World): Promise<Measurement[]> {
  const { organization } = await callApi<{ organization: { id: string } }>(world.service, '/api/me')
  const file = 'tables.duckdb'
  await createTables(path.join(databaseFolder({ ...world.service, organizationId: organization.id }), file))
  const pages = await signIn(world.service)
  const database = await pages.post<{ id: string }>('/app/api/databases', { name: 'Many tables', engine: 'duckdb', settings: { file } })
  const page = await openPage(world, { email, password }, `/queries/new?database=${database.id}`)
  const search = page.getByRole('searchbox', { name: 'Search tables and columns' })
  await page.getByRole('button', { name: 'Columns of table_0001', exact: true }).waitFor()
  const scrolling = await page.evaluate(watchFrames, { selector: '[aria-label="Tables"] .overflow-y-auto', by: { y: 30 }, ms: 3000 })
  await search.focus()
  const frames = page.evaluate(watchFrames, { selector: 'html', by: {}, ms: 3000 })
  for (const letter of 'column_7_of_table_4') await search.press(letter, { delay: 80 })
  const typing = await frames
  return linesOf(page, `schema of ${tableCount.toLocaleString('en-US')} tables`, { 'scrolling through its tables': scrolling, 'searching for a column': typing })
}

async function createTables(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  for (let table = 1; table <= tableCount; table += 1) {
    const columns = Array.from({ length: columnsPerTable }, (_, column) => `column_${column}_of_table_${table} integer`)
    await connection.run(`create table table_${String(table).padStart(4, '0')} (${columns.join(', ')})`)
  }
  await connection.run('checkpoint')
  connection.closeSync()
  instance.closeSync()
}

async function measureResult(world: World): Promise<Measurement[]> {
  const columns = Array.from({ length: resultColumns }, (_, column) => `(i * ${column + 1} % 997)::integer as column_${column + 1}`)
  const queryId = await world.storeQuery(`select ${columns.join(', ')} from range(${resultRows}) as numbers (i)`)
  const tookMs = await refreshToCompletedMs(world.service, queryId, 100)
  const pages = await signIn(world.service)
  const { shortId } = await pages.post<{ shortId: string }>('/app/api/references', { queryId, title: 'Large result' })
  const page = await openPage(world, { email, password }, `/q/${shortId}`)
  const grid = '[role="grid"]'
  await page.locator(grid).waitFor()
  const loading = await page.evaluate(watchFrames, { selector: grid, by: { y: 40 }, ms: 3000 })
  await page.getByText(/first [\d,]+ /i).first().waitFor()
  const about = `result of ${resultRows.toLocaleString('en-US')} rows × ${resultColumns} columns`
  const lines = await linesOf(page, about, { 'scrolling while it loads': loading })
  const bare = await openBareGrid(world, page)
  const directions = { 'scrolling down': { y: 400 }, 'scrolling sideways': { x: 60 } }
  const scrolled: Measurement[] = []
  for (const [how, by] of Object.entries(directions)) scrolled.push(...(await compareScrolling(`${about}: ${how}`, { page, bare, by })))
  return [{ what: `${about}: its run`, unit: 's', ours: tookMs / 1000 }, ...scrolled, ...lines]
}

/** A page with nothing but a grid of the same size, which shows what the browser needs for itself. */
async function openBareGrid({ browser }: World, page: Page): Promise<Page> {
  const bare = await browser.newPage({ viewport })
  await bare.setContent(`<!doctype html><style>${bareStyles}</style>`)
  await bare.evaluate(makeBareGrid, await page.evaluate(sizeOfGrid))
  return bare
}

const rounds = 3

/** Scrolls the result and the bare page in turns. */
async function compareScrolling(what: string, { page, bare, by }: { page: Page; bare: Page; by: Scrolling['by'] }): Promise<Measurement[]> {
  const ours: (Frames & { cpuMs: number })[] = []
  const ceiling: typeof ours = []
  for (let round = 0; round < rounds; round += 1) {
    for (const [target, selector, results] of [[page, '[role="grid"]', ours], [bare, '.grid', ceiling]] as const) {
      await target.bringToFront()
      await target.locator(selector).evaluate((box) => box.scrollTo({ top: 0, left: 0, behavior: 'instant' }))
      const { result, cpuMs } = await countMainThread(target, () => target.evaluate(watchFrames, { selector, by, ms: 3000 }))
      results.push({ ...result, cpuMs: cpuMs / (result.perSecond * 3) })
    }
  }
  const of = (results: typeof ours, figure: keyof (typeof ours)[number]) => median(results.map((each) => each[figure]))
  const than = 'a bare page with as many cells'
  const perSecond = of(ours, 'perSecond')
  return [
    {
      what,
      unit: 'frames/s',
      ours: perSecond,
      ceiling: { what: than, value: of(ceiling, 'perSecond') },
      note: `longest ${Math.round(of(ours, 'longestMs'))} ms`,
      goal: { text: `≥ ${wantedFrames}`, isMet: perSecond >= wantedFrames },
    },
    { what: `${what}: main thread, a frame`, unit: 'CPU ms', ours: of(ours, 'cpuMs'), ceiling: { what: than, value: of(ceiling, 'cpuMs') } },
  ]
}

const benchmark = {
  name: 'large-pages',
  title: 'Pages with much to show, in a real browser',
  limitMinutes: 15,
  makeWorld,
  parts: { list: measureList, schema: measureSchema, result: measureResult },
}
