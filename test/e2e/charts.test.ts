import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileConfigs } from '../../packages/visualization/testing/hostile-configs.ts'
import type { Field, Visualization } from '../../packages/visualization/src/index.ts'
import { defaultPalette } from '../../packages/visualization/src/draw/palette.ts'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { type Drawable, drawPlot, drawSvg, isPlain, readGallery, textsOf } from '@querypost/server/testing/gallery'
import { type ChartsPage, type Shown, startChartsPage } from './charts-page.ts'
import { galleryPage, showInGallery } from './gallery-page.ts'
import { describeJourneys, journey } from './journey.ts'

let charts: ChartsPage
let browser: Browser

beforeAll(async () => {
  ;[charts, browser] = await Promise.all([startChartsPage(), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await charts.stop()
})

const marginConfig = { top: 8, right: 16, bottom: 8, left: 8 }
const fields: Field[] = [
  { name: 'month', type: 'date' },
  { name: 'country', type: 'string' },
  { name: 'revenue', type: 'decimal' },
  { name: 'orders', type: 'integer' },
]
const countries = ['Germany', 'France', 'Spain', 'Italy', 'Poland', 'Norway']
const rows = Array.from({ length: 6 }, (_, at) => [`2025-0${at + 1}-01`, countries[at], `${1000 + at * 250}.50`, 40 - at])
const jsx: Record<string, string> = {
  line: '<LineChart><CartesianGrid /><XAxis dataKey="month" /><YAxis /><Tooltip /><Line dataKey="revenue" /><Line dataKey="orders" /></LineChart>',
  bar: '<BarChart layout="vertical"><XAxis type="number" /><YAxis type="category" dataKey="country" /><Tooltip /><Legend /><Bar dataKey="revenue" fill="#4f46e5" /></BarChart>',
  area: '<AreaChart><XAxis dataKey="month" /><YAxis /><Area dataKey="revenue" stackId="a" /><Area dataKey="orders" stackId="a" /></AreaChart>',
  scatter: '<ScatterChart><XAxis dataKey="orders" type="number" /><YAxis dataKey="revenue" /><Tooltip /><Scatter /></ScatterChart>',
  pie: '<PieChart><Tooltip /><Legend /><Pie dataKey="orders" nameKey="country" label /></PieChart>',
  composed: '<ComposedChart><XAxis dataKey="month" /><YAxis /><YAxis yAxisId="right" orientation="right" /><Bar dataKey="revenue" /><Line dataKey="orders" yAxisId="right" /></ComposedChart>',
  heatmap: '<HeatmapChart><XAxis dataKey="month" /><YAxis dataKey="country" /><Heatmap dataKey="orders" /></HeatmapChart>',
  funnel: '<FunnelChart><Funnel dataKey="orders" nameKey="country" /></FunnelChart>',
  histogram: '<HistogramChart><XAxis /><YAxis /><Histogram dataKey="revenue" bins={4} /></HistogramChart>',
  map: '<MapChart><Map dataKey="revenue" nameKey="country" /></MapChart>',
}
const chart = (type: string, jsxConfig = jsx[type] ?? ''): Visualization => ({ type: type as Visualization['type'], jsxConfig, marginConfig })

async function open(options: BrowserContextOptions = {}): Promise<Visitor> {
  const visitor = await visit(browser, { baseURL: charts.baseUrl, ...options })
  await visitor.page.goto('/')
  await visitor.page.waitForFunction(() => 'harness' in globalThis)
  return visitor
}

const view = (page: Page, visualization: Visualization, of: Partial<Shown> = {}) =>
  page.evaluate((input) => void globalThis.harness.view(input), { visualization, fields, rows, ...of })
const startBuilding = (page: Page, visualization: Visualization | null) =>
  page.evaluate((input) => void globalThis.harness.build(input), { visualization, fields, rows })
const built = (page: Page) => page.evaluate(() => globalThis.harness.built)
const surface = (page: Page) => page.locator('[data-chart][role="application"]')

/** How many series and points of a type are drawn. */
const drawn = (page: Page, type: string) =>
  page.locator(`[data-chart="${type}"]`).evaluate((element) => [Number(element.dataset['series']), Number(element.dataset['points'])])

/** Whether every given color, and the page's text color, is on the canvas. */
const hasColors = (page: Page, colors: string[]) =>
  page.locator('[data-chart] canvas').first().evaluate((canvas: HTMLCanvasElement, wanted) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    const seen = new Set<string>()
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 255) seen.add(`#${[data[at], data[at + 1], data[at + 2]].map((value) => value!.toString(16).padStart(2, '0')).join('')}`)
    }
    return wanted.filter((color) => !seen.has(color))
  }, colors)

/** The series and points expected for each chart of the rows above, and colors that must be visible in light mode. */
const marks: [type: string, series: number, points: number, colors: string[]][] = [
  ['line', 2, 12, defaultPalette.light.slice(0, 2)],
  ['bar', 1, 6, ['#4f46e5']],
  ['area', 2, 12, defaultPalette.light.slice(0, 2)],
  ['scatter', 1, 6, []],
  ['pie', 1, 6, defaultPalette.light.slice(0, 6)],
  ['composed', 2, 12, defaultPalette.light.slice(0, 2)],
  ['heatmap', 1, 6, []],
  ['funnel', 1, 6, defaultPalette.light.slice(0, 6)],
  ['histogram', 1, 4, defaultPalette.light.slice(0, 1)],
  ['map', 1, 6, []],
]

test('draws every type: light, on a desktop', () => expectEveryTypeDrawn({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' }))
journey('draws every type: dark, on a phone', () => expectEveryTypeDrawn({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' }))

async function expectEveryTypeDrawn(options: Parameters<typeof open>[0] & { colorScheme: 'light' | 'dark' }) {
  const visitor = await open(options)
  const { page } = visitor
  for (const [type, series, points, colors] of marks) {
    await view(page, chart(type))
    await expect.poll(() => drawn(page, type), { message: type }).toEqual([series, points])
    const visible = options.colorScheme === 'light' ? colors : []
    await expect.poll(() => hasColors(page, visible), { message: type }).toEqual([])
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
  }
  const large = { rows: [['2025-01-01', 'A', '12345678901234567890.10', 1]] }
  await view(page, chart('number', '<BarChart><Bar dataKey="revenue" name="Total" unit=" €" /></BarChart>'), large)
  await page.getByText('12,345,678,901,234,567,890.10 €').waitFor()
  await view(page, chart('table'))
  await page.getByText('Norway').waitFor()
  await visitor.leave()
}

journey('shows exact values with the arrow keys and the rows as a table', async () => {
  const visitor = await open({ viewport: { width: 900, height: 700 } })
  const { page } = visitor
  await view(page, chart('line'))
  await surface(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.locator('[data-tooltip]').getByText('1,250.50').waitFor()
  await expect.poll(() => page.locator('[data-tooltip]').textContent()).toBe('Feb 2025revenue1,250.50orders39')
  await page.getByText('Feb 2025, revenue 1,250.50, orders 39').waitFor({ state: 'attached' })
  const summary = page.getByRole('figure', { name: /Line chart of revenue and orders by month, 6 rows, from Jan 2025 to Jun 2025/ })
  await summary.waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByText('Italy').waitFor()
  await page.getByRole('button', { name: 'Show as chart' }).click()
  await surface(page).waitFor()
  await visitor.leave()
})

journey('hides series, zooms and shows the rows behind a mark', async () => {
  const visitor = await open({ viewport: { width: 900, height: 900 } })
  const { page } = visitor
  const split = '<LineChart><XAxis dataKey="month" /><YAxis /><Line dataKey="revenue" seriesKey="country" topN={2} /></LineChart>'
  const both = rows.flatMap(([month, , revenue, orders]) => [[month, 'Spain', revenue, orders], [month, 'Italy', '500.00', orders]])
  await view(page, chart('line', split), { rows: both })
  const legend = page.getByRole('list', { name: 'Series' })
  await legend.getByRole('button', { name: 'Spain', pressed: true }).click()
  await legend.getByRole('button', { name: 'Spain', pressed: false }).waitFor()
  const box = (await surface(page).boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await expect.poll(() => page.locator('[data-tooltip]').textContent()).toMatch(/^\w+ 2025Italy500.00$/)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Reset zoom' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Reset zoom' }).count()).toBe(0)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  const behind = page.getByRole('region', { name: /^Rows of \w+ 2025, Italy$/ })
  await behind.getByText('Italy', { exact: true }).first().waitFor()
  await behind.getByRole('button', { name: 'Close rows' }).click()
  await surface(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Jun 2025 · 2 rows' }).waitFor()
  await expectAccessible(page)
  await view(page, chart('line', split.replace(' seriesKey="country" topN={2}', '')), { rows: both })
  await page.getByText('Several rows have the same “month”').waitFor()
  await visitor.leave()
})

journey('explains what cannot be drawn and what is left out', async () => {
  const visitor = await open()
  const { page } = visitor
  await view(page, chart('line', '<LineChart><Line dataKey="gone" /></LineChart>'))
  await page.getByText('The result has no column “gone”').waitFor()
  await view(page, chart('line'), { rows: [] })
  await page.getByText('The query returned no rows.').waitFor()
  await view(page, chart('line'), { rows: rows.slice(0, 1) })
  // A line through one value has no length, so it needs a dot.
  await expect.poll(() => drawn(page, 'line')).toEqual([2, 2])
  await expect.poll(() => hasColors(page, defaultPalette.light.slice(0, 2))).toEqual([])
  const many = Array.from({ length: 5000 }, (_, at) => [new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10), 'x', String(at), at])
  await view(page, chart('line'), { rows: many })
  await page.getByText(/^Showing [\d,]+ of 5,000 rows/).waitFor()
  await view(page, chart('pie'), { rows: many.slice(1, 41) })
  await page.getByText('The 29 smallest slices are combined as “Other”.').waitFor()
  await visitor.leave()
})

test('neither draws, executes nor fetches anything from the attack corpus', async () => {
  const visitor = await open()
  const { page } = visitor
  const requests: string[] = []
  // The chart code loads with the first chart; after that, nothing may be requested.
  await view(page, chart('line'))
  await surface(page).waitFor()
  page.on('request', (request) => requests.push(request.url()))
  const input = { visualization: chart('line'), fields, rows }
  const outcome = await page.evaluate((given) => globalThis.harness.attack(given.texts, given.input), { texts: hostileConfigs, input })
  expect(outcome).toEqual({ drawn: [], sprung: [], isPolluted: false, activeElements: 0 })
  expect(requests).toEqual([])
  await visitor.leave()
})

/**
 * The page draws on a canvas, the server as SVG. Both pictures are cropped to their plots and reduced to 60 × 30 average colors.
 * They differ by the share of these whose red, green or blue differs by more than 48 of 255. Numbers and pivot tables are compared by
 * their words.
 */
journey('the gallery looks the same, drawn by the page and by the server', async () => {
  /** Lines and points are larger in images, so equal pictures differ by up to 0.003. */
  const maxDifference = 0.006
  const visitor = await open(galleryPage)
  const gallery = await readGallery()
  // A histogram of fewer rows is as good, and faster.
  for (const each of gallery) each.rows = each.rows.slice(0, 2_000)

  const replaced = (drawable: Drawable, from: string, to: string): Drawable => {
    const { visualization } = drawable
    expect(visualization.jsxConfig).toContain(from)
    return { ...drawable, visualization: { ...visualization, jsxConfig: visualization.jsxConfig.replace(from, to) } }
  }
  /** A slightly different chart of each type, which must not pass for the same. */
  const altered: Record<string, (drawable: Drawable) => Drawable> = {
    line: (drawable) => replaced(drawable, 'seriesKey="channel"', 'seriesKey="channel" topN={1}'),
    area: (drawable) => replaced(drawable, ' stackOffset="expand"', ''),
    bar: (drawable) => replaced(drawable, ' stackId="all"', ''),
    combo: (drawable) => replaced(drawable, '<Line dataKey="orders"', '<Bar dataKey="orders"'),
    scatter: (drawable) => replaced(drawable, '<YAxis dataKey="pieces"', '<YAxis dataKey="revenue"'),
    pie: (drawable) => replaced(drawable, ' innerRadius="40%"', ''),
    heatmap: (drawable) => replaced(drawable, '<Heatmap dataKey="orders"', '<Heatmap dataKey="hour"'),
    funnel: (drawable) => ({ ...drawable, rows: drawable.rows.slice(1) }),
    histogram: (drawable) => replaced(drawable, 'dataKey="amount"', 'dataKey="amount" bins={8}'),
    map: (drawable) => ({ ...drawable, rows: [['Canada', 100], ['Brazil', 200]] }),
    number: (drawable) => replaced(drawable, 'target={2000000}', 'target={1000000}'),
    pivot: (drawable) => replaced(drawable, 'aggregate="sum"', 'aggregate="count"'),
  }

  const differenceOfPlots = async (drawable: Drawable) =>
    visitor.page.evaluate(async (given) => {
      const [ours, theirs] = [globalThis.harness.readPlot(), await globalThis.harness.readPlotOf(given)]
      return ours.filter((color, at) => color.some((value, of) => Math.abs(value - theirs[at]![of]!) > 48)).length / ours.length
    }, await drawPlot(drawable))
  /** The share of the words in the server's picture that the page doesn't show. */
  const differenceOfWords = async (drawable: Drawable) => {
    const shown = new Set((await visitor.page.locator('[data-shown]').innerText()).split(/\s+/))
    const words = textsOf(drawSvg(drawable)).flatMap((text) => text.split(/\s+/))
    return words.filter((word) => !shown.has(word)).length / words.length
  }
  const difference = (drawable: Drawable) => (isPlain(drawable) ? differenceOfWords(drawable) : differenceOfPlots(drawable))

  expect(gallery.map(({ name }) => name)).toEqual(Object.keys(altered))
  for (const drawable of gallery) {
    const { name } = drawable
    await showInGallery(visitor.page, drawable)
    await expect.poll(() => difference(drawable), { message: name }).toBeLessThan(maxDifference)
    expect(await difference(altered[name]!(drawable)), `${name}, altered`).toBeGreaterThan(maxDifference)
  }
  await visitor.leave()
})

describeJourneys('the builder', () => {
  journey('builds every type by keyboard', async () => {
    const visitor = await open({ viewport: { width: 1280, height: 900 } })
    const { page } = visitor
    await startBuilding(page, null)
    const types = page.getByRole('group', { name: 'Show as' })
    await types.getByRole('radio', { name: 'Table' }).focus()
    const others = ['number', 'pivot', 'line', 'bar', 'area', 'combo', 'pie', 'funnel', 'scatter', 'histogram', 'heatmap', 'map']
    for (const type of others) {
      await page.keyboard.press('ArrowRight')
      await expect.poll(async () => (await built(page))?.type).toBe(type)
      if (type === 'number' || type === 'pivot' || type === 'combo') await expectAccessible(page)
    }
    expect((await built(page))!.jsxConfig).toContain('<Map dataKey="revenue"')
    await visitor.leave()
  })

  journey('writes the chosen settings', async () => {
    const visitor = await open({ viewport: { width: 1280, height: 900 } })
    const { page } = visitor
    await startBuilding(page, chart('bar', '<BarChart><XAxis dataKey="month" /><YAxis /><Bar dataKey="revenue" /></BarChart>'))
    const unfold = (section: string) => page.locator('summary', { hasText: section }).click()
    await page.getByLabel('Categories').selectOption('country')
    await page.getByRole('button', { name: 'Add column' }).click()
    await page.getByLabel('Label 2').fill('All orders')
    await page.getByLabel('Color of All orders').fill('#ff0000')
    await page.getByLabel('Arrange series').selectOption('stacked')
    await unfold('Axes')
    await page.getByLabel('Y axis title').fill('Euro')
    await page.getByLabel('Maximum').fill('5000')
    await unfold('Lines and notes')
    await page.getByRole('button', { name: 'Add target line' }).click()
    await page.getByLabel('Target 1: text').fill('Goal')
    await page.getByLabel('Trend line').check()
    await unfold('Display')
    await page.getByLabel('Horizontal bars').check()
    await page.getByRole('checkbox', { name: 'Legend' }).check()
    await page.getByLabel('Grid lines').check()
    await unfold('Margins')
    await page.getByLabel('Left').fill('24')
    await expect.poll(() => built(page)).toEqual({
      type: 'bar',
      marginConfig: { ...marginConfig, left: 24 },
      jsxConfig: `<BarChart layout="vertical">
  <CartesianGrid />
  <XAxis type="number" domain={["auto", 5000]} label={{ value: "Euro", position: "insideBottom" }} />
  <YAxis type="category" dataKey="country" />
  <Legend />
  <Bar dataKey="revenue" stackId="all" trend="linear" />
  <Bar dataKey="orders" name="All orders" fill="#ff0000" stackId="all" trend="linear" />
  <ReferenceLine label="Goal" x={2000} />
</BarChart>`,
    })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove All orders' }).click()
    await expect.poll(async () => (await built(page))!.jsxConfig).not.toContain('orders')
    await visitor.leave()
  })

  journey('offers charts that fit, and a split where rows share a category, on a phone', async () => {
    const visitor = await open({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
    const { page } = visitor
    const repeated = rows.flatMap(([month, , revenue]) => [[month, 'Spain', revenue, 3], [month, 'France', revenue, 4]])
    const jsxConfig = '<LineChart><XAxis dataKey="month" /><YAxis /><Line dataKey="orders" /></LineChart>'
    await page.evaluate((input) => void globalThis.harness.build(input), { visualization: chart('line', jsxConfig), fields, rows: repeated })
    await page.getByRole('button', { name: 'Split by country', exact: true }).click()
    await expect.poll(async () => (await built(page))!.jsxConfig).toContain('<Line dataKey="orders" seriesKey="country" />')
    await expect.poll(() => page.getByRole('combobox', { name: 'Split by' }).inputValue()).toBe('country')
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
    const suggestion = page.getByRole('button', { name: 'Heat map: revenue by month and country' })
    await suggestion.click()
    await expect.poll(async () => (await built(page))!.type).toBe('heatmap')
    expect(await suggestion.getAttribute('aria-pressed')).toBe('true')
    await visitor.leave()
  })

  journey('edits JSX, shows errors while typing, and keeps the text', async () => {
    const visitor = await open({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
    const { page } = visitor
    await startBuilding(page, chart('line'))
    await page.getByRole('tab', { name: 'JSX' }).click()
    const text = page.getByLabel('Chart JSX')
    await text.fill('<BarChart>\n  <Bar onClick="x" />\n</BarChart>')
    await page.getByText('It may not have the prop "onClick" (line 2, column 8).').waitFor()
    // The last valid chart stays visible.
    await expect.poll(() => drawn(page, 'line')).toEqual([2, 12])
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('The JSX is not a valid chart.').waitFor()
    await page.getByRole('tab', { name: 'JSX' }).click()
    await expect.poll(() => text.inputValue()).toContain('onClick')
    await text.fill('<BarChart>\n  <Bar dataKey="orders" />\n</BarChart>')
    await page.locator('[data-chart="bar"]').waitFor()
    expect(await built(page)).toMatchObject({ type: 'bar' })
    await expectNoSidewaysScrolling(page)
    await visitor.leave()
  })

  journey('does not change a chart it cannot edit', async () => {
    const visitor = await open()
    const { page } = visitor
    const axes = '<XAxis dataKey="month" /><YAxis /><YAxis yAxisId="right" orientation="right" />'
    const written = chart('line', `<LineChart>${axes}<Line dataKey="orders" /><Line dataKey="revenue" yAxisId="right" /></LineChart>`)
    await startBuilding(page, written)
    await page.getByText('The form can’t edit this chart. It has more than one axis on a side.').waitFor()
    await surface(page).waitFor()
    expect(await built(page)).toEqual(written)
    await visitor.leave()
  })
})
