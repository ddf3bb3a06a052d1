import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { cellsOf, editorOf, gridOf, rowCountOf, writeSql } from './sql.ts'
import { openAs } from './steps.ts'

/** Writing, running and saving a query. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('editor')
})
beforeEach(() => arrive())
afterEach(() => visitor.leave())

async function arrive(options: { colorScheme?: 'dark'; viewport?: { width: number; height: number } } = {}): Promise<void> {
  visitor = await visit(browser, {
    baseURL: service.baseUrl,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  page = visitor.page
}

const open = (path: string) => openAs(page, service, path)
const run = () => page.getByRole('button', { name: 'Run query' })
const clipboard = () => page.evaluate(() => navigator.clipboard.readText())

test('writes a query, fixes its error, runs it, sorts and copies rows, opens the history and saves', async () => {
  await open('/queries/new')
  await writeSql(page, 'select channel,\n  no_such_column\nfrom orders')
  await run().click()
  await page.getByRole('alert').getByText('no_such_column').waitFor()
  // Only the wrong word is marked.
  await expect.poll(() => page.locator('.cm-lintRange-error').allTextContents()).toEqual(['no_such_column'])
  await page.locator('.cm-lint-marker-error').waitFor()
  await expectAccessible(page)

  await writeSql(page, "select i as n, 10 - i as rest, case when i % 2 = 0 then 'a\tb' end as word from range(1, 4) r (i)")
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('3 rows', { exact: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.locator('.cm-lintRange-error').count()).toBe(0)
  expect(await cellsOf(page, 0)).toEqual(['1', '9', 'null'])

  // By keyboard: move to the second column name, sort, move back down, select and copy.
  await gridOf(page).focus()
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  await page.locator('[role=columnheader][aria-sort=ascending]').getByText('rest').waitFor()
  expect(await cellsOf(page, 0)).toEqual(['3', '7', 'null'])
  for (const key of ['ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'ControlOrMeta+c']) await page.keyboard.press(key)
  await page.getByRole('status').getByText('Copied 4 values.').waitFor()
  expect(await clipboard()).toBe('7\t\n8\t"a\tb"')
  await page.keyboard.press('Enter')
  const whole = page.getByRole('dialog', { name: 'word' })
  await whole.getByRole('button', { name: 'Close' }).click()
  await whole.waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+Space')
  await page.keyboard.press('ControlOrMeta+c')
  await page.getByRole('status').getByText('Copied 3 values.').waitFor()
  expect(await clipboard()).toBe('word\n\n"a\tb"\n')
  const width = () => page.getByRole('columnheader', { name: /^word/ }).evaluate((head) => (head as HTMLElement).offsetWidth)
  const before = await width()
  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(width).toBe(before + 24)

  await run().click()
  await page.getByRole('tab', { name: 'History' }).click()
  const history = page.getByRole('list', { name: 'Runs' }).getByRole('button')
  await expect.poll(() => history.count()).toBe(2)
  await expectAccessible(page)
  await history.last().click()
  await page.getByText('3 rows', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save query' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a title.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Title').fill('Three numbers')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Three numbers' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/q\/\w{10}$/)
  // The saved query shows the result of the run.
  await page.getByText('3 rows', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Refresh' }).waitFor()
})

test('turns parameters in the SQL into a form and saves their types and defaults', async () => {
  await open('/queries/new')
  const where = "where i < {{most}} or '{{word}}' = 'all' or {{start_date}} < date '2000-01-01'"
  await writeSql(page, `select i from range(100) r (i) -- {{not_this}}\n${where}\nlimit {{row_limit}}`)
  const form = page.getByRole('region', { name: 'Parameters' })
  const rowLimit = form.getByLabel('Row limit', { exact: true })
  await rowLimit.waitFor()
  // Types are guessed from the names: one number, one date, two texts. Placeholders in comments do not count.
  const types = form.locator('input').evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ type }) => type))
  expect(await types).toEqual(['text', 'text', 'date', 'number'])
  await run().click()
  // Every missing value is marked at its field, and nowhere else.
  const startDate = form.getByLabel('Start date', { exact: true })
  for (const [field, message] of [[startDate, 'Enter a value for “Start date”.'], [rowLimit, 'Enter a value for “Row limit”.']] as const) {
    await form.getByRole('alert').getByText(message).waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.evaluate((input: HTMLInputElement) => input.ariaDescribedByElements?.map((element) => element.textContent))).toEqual([message])
  }
  await expect.poll(() => page.getByRole('alert').count()).toBe(2)
  await startDate.fill('2025-01-01')
  await expect.poll(() => startDate.getAttribute('aria-invalid')).toBe(null)

  await page.getByRole('button', { name: 'Settings for Most' }).click()
  const settings = page.getByRole('dialog', { name: 'Parameter {{most}}' })
  await settings.getByLabel('Type').selectOption('Number')
  await settings.getByLabel('Label').fill('Below')
  await settings.getByLabel('Default value').fill('10')
  await settings.getByLabel('Description').fill('Only smaller numbers')
  await expectAccessible(page)
  await settings.getByRole('button', { name: 'Save' }).click()
  await rowLimit.fill('4')
  await rowLimit.press('Enter')
  await page.getByText('4 rows', { exact: true }).waitFor()
  await form.getByText('Only smaller numbers').waitFor()

  await page.keyboard.press('ControlOrMeta+s')
  await page.getByLabel('Title').fill('Small numbers')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Small numbers' }).waitFor()
  expect(new URL(page.url()).search).toBe('?start_date=2025-01-01&row_limit=4')
  await expect.poll(() => page.getByLabel('Below', { exact: true }).inputValue()).toBe('10')
  await page.getByText('4 rows', { exact: true }).waitFor()
})

journey('writes, runs and saves a query by keyboard alone', async () => {
  await open('/')
  const tabTo = async (isThere: () => Promise<boolean>) => {
    for (let presses = 0; !(await isThere()); presses++) {
      if (presses > 60) throw new Error('Tab does not lead there.')
      await page.keyboard.press('Tab')
    }
  }
  const hasFocus = (name: string, role: string) =>
    page.evaluate(
      ([wanted, wantedRole]) => {
        const element = document.activeElement
        const label = element?.getAttribute('aria-label') ?? element?.textContent?.trim()
        return label === wanted && (element?.getAttribute('role') ?? element?.tagName.toLowerCase()) === wantedRole
      },
      [name, role],
    )
  await tabTo(() => hasFocus('New query', 'a'))
  await page.keyboard.press('Enter')
  await editorOf(page).waitFor()
  await tabTo(() => hasFocus('SQL', 'textbox'))
  await page.keyboard.type('select count(*) as orders from ord')
  // CodeMirror ignores keys right after the list opens, to prevent accidental completions.
  const chosen = page.getByRole('option', { selected: true })
  await chosen.getByText('orders', { exact: true }).waitFor()
  const moveOn = async () => {
    await page.keyboard.press('ArrowDown')
    return chosen.getByText('orders', { exact: true }).count()
  }
  await expect.poll(moveOn).toBe(0)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('1 row', { exact: true }).waitFor()
  // Tab indents; after Escape it leaves the editor.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect(await hasFocus('SQL', 'textbox')).toBe(false)
  await tabTo(() => page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ControlOrMeta+c')
  await page.getByRole('status').getByText('Copied 1 value.').waitFor()
  expect(Number(await clipboard())).toBeGreaterThan(1000)
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('dialog', { name: 'Save query' }).waitFor()
  await page.keyboard.type('How many orders')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'How many orders' }).waitFor()
})

describe('unsaved work', () => {
  test('survives a reload and a failed request, and is offered in another tab', async () => {
    await open('/queries/new')
    await writeSql(page, 'select 41 + 1 as answer')
    await page.context().setOffline(true)
    visitor.expectErrors(/ERR_INTERNET_DISCONNECTED/)
    await run().click()
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    await page.context().setOffline(false)
    await page.reload()
    await page.getByText('Restored your unsaved draft').waitFor()
    await page.getByText('select 41 + 1 as answer').waitFor()
    await run().click()
    await page.getByText('1 row', { exact: true }).waitFor()

    const other = await page.context().newPage()
    await other.goto('/queries/new')
    await other.getByText('You have an unsaved draft').waitFor()
    expect(await other.getByText('select 41 + 1 as answer').count()).toBe(0)
    await other.getByRole('button', { name: 'Restore draft' }).click()
    await other.getByText('select 41 + 1 as answer').waitFor()
    await other.getByText('1 row', { exact: true }).waitFor()
    await other.getByRole('button', { name: 'Discard draft' }).click()
    await other.getByText('select 41 + 1 as answer').waitFor({ state: 'detached' })
    await other.close()
  })

  journey('never changes a stored query: edited SQL becomes another query', async () => {
    await open('/queries/new?sql=select+1+as+one')
    await page.getByText('select 1 as one').waitFor()
    const storing = page.waitForResponse((response) => response.url().endsWith('/app/api/queries'))
    await run().click()
    const { id } = (await (await storing).json()) as { id: string }
    await page.getByText('1 row', { exact: true }).waitFor()

    await page.goto(`/queries/${id}`)
    await page.getByText('1 row', { exact: true }).waitFor()
    await writeSql(page, 'select 2 as two')
    await page.getByText('The SQL has changed since this run').waitFor()
    await run().click()
    await page.getByRole('columnheader', { name: /^two/ }).waitFor()
    const stored = await page.request.get(`/app/api/queries/${id}`)
    expect(await stored.json()).toMatchObject({ sql: 'select 1 as one' })
    await expectAccessible(page)
  })
})

journey('adapts a chart to columns that have changed, and keeps its other settings', async () => {
  await open('/queries/new')
  await writeSql(page, 'select channel, count(*) as orders from orders group by channel order by channel')
  await run().click()
  await page.getByRole('tab', { name: 'Chart' }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  const bars = preview.locator('[data-chart="bar"]')
  await preview.getByRole('figure', { name: /^Bar chart of orders by channel/ }).waitFor()
  for (const section of ['Axes', 'Display']) await page.locator('summary', { hasText: section }).click()
  await page.getByRole('checkbox', { name: 'Legend' }).check()
  await page.getByLabel('X axis title').fill('Where it was ordered')
  const barCount = Number(await bars.getAttribute('data-points'))
  expect(barCount).toBeGreaterThan(1)

  await writeSql(page, 'select channel, round(avg(amount)) as average_amount from orders group by channel order by channel')
  await page.keyboard.press('ControlOrMeta+Enter')
  await preview.getByRole('figure', { name: /^Bar chart of average_amount by Where it was ordered/ }).waitFor()
  await expect.poll(() => bars.getAttribute('data-points')).toBe(String(barCount))
  await preview.getByRole('list', { name: 'Series' }).getByText('average_amount').waitFor()
  expect(await page.locator('.cm-tooltip-autocomplete').count(), 'running closes the list of suggestions').toBe(0)
  await expect.poll(() => page.getByRole('checkbox', { name: 'Legend' }).isChecked()).toBe(true)
  await expect.poll(() => page.getByLabel('X axis title').inputValue()).toBe('Where it was ordered')

  // A chart that nobody looks at is adapted too, before it is saved.
  await page.getByRole('tab', { name: 'Table' }).click()
  await writeSql(page, 'select channel, max(amount) as largest_amount from orders group by channel order by channel')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('columnheader', { name: /^largest_amount/ }).waitFor()
  await page.getByRole('button', { name: 'Download' }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /^CSV For/ }).click()])
  expect(file.suggestedFilename()).toBe('orders.csv')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByLabel('Title').fill('Largest orders')
  await page.keyboard.press('Enter')
  await page.getByRole('figure', { name: /^Bar chart of largest_amount by Where it was ordered/ }).waitFor()
  await page.getByRole('list', { name: 'Series' }).getByText('largest_amount').waitFor()
})

journey('runs selected text, formats values, types over selected lines, inserts names with spaces and formats SQL', async () => {
  await open('/queries/new')
  const lines = () => page.locator('.cm-line').allTextContents()
  await writeSql(page, 'select 7 as seven\nselect 8 as eight')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('Shift+End')
  await page.getByRole('button', { name: 'Run selection' }).waitFor()
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('columnheader', { name: /^seven/ }).waitFor()
  await page.getByText('This is the result of the selected text.').waitFor()

  await writeSql(page, "select timestamp '2025-03-01' as month, 57 as refund_rate_percent, 1234567 as revenue, 2025 as year")
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('columnheader', { name: /^revenue/ }).waitFor()
  expect(await cellsOf(page, 0)).toEqual(['Mar 2025', '57%', '1,234,567', '2025'])
  await writeSql(page, 'select 1\nselect 2')
  // The browser would replace text over several lines with inline styles, which the policy forbids: the console stays clean.
  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('s')
  await expect.poll(lines).toEqual(['s'])

  await writeSql(page, 'select * from')
  await page.getByRole('complementary', { name: 'Tables' }).getByRole('button', { name: 'customers', exact: true }).click()
  await expect.poll(lines).toEqual(['select * from customers'])
  await page.keyboard.insertText(' where country={{country}} and 1=1')
  await page.keyboard.press('Shift+Alt+F')
  await expect.poll(lines).toEqual(['select', '  *', 'from', '  customers', 'where', '  country = {{country}}', '  and 1 = 1'])
})

journey('shows the progress of a long run and stops it', async () => {
  await open('/queries/new')
  await writeSql(page, 'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3')
  await run().click()
  await page.getByRole('status').getByText('Running…').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('status').getByText(/^Stopped by /).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await run().isEnabled()).toBe(true)
})

journey('scrolls through 100,000 rows with only the visible ones in the document', async () => {
  await open('/queries/new')
  await writeSql(page, "select i as n, i * 1.5 as amount, 'row ' || i as name from range(100000) r (i)")
  await run().click()
  await page.getByText('100,000 rows', { exact: true }).waitFor()
  await expect.poll(() => rowCountOf(page)).toBe(100_000)
  await gridOf(page).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await gridOf(page).getByText('row 99999', { exact: true }).waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(200)
  // Sorted in descending order, the last row comes first.
  const head = page.getByRole('columnheader', { name: /^n integer/ }).getByRole('button').first()
  await head.click()
  await head.click()
  await page.keyboard.press('ControlOrMeta+Home')
  await expect.poll(() => cellsOf(page, 0)).toEqual(['99,999', '149,998.5', 'row 99999'])
  expect(await page.getByRole('row').count()).toBeLessThan(200)
})

journey('shows other rows in the same elements while scrolling, and keeps the selection at its row', async () => {
  await open('/queries/new')
  const columns = Array.from({ length: 30 }, (_, column) => `i * 100 + ${column} as column_${column}`)
  await writeSql(page, `select ${columns.join(', ')} from range(1000) r (i)`)
  await run().click()
  await page.getByText('1,000 rows', { exact: true }).waitFor()
  const rows = gridOf(page).locator('[role=row][data-row]')
  const selected = gridOf(page).locator('[aria-selected=true]')
  const scrollTo = (top: number, left: number) => gridOf(page).evaluate((grid, to) => grid.scrollTo({ ...to, behavior: 'instant' }), { top, left })
  const shown = () =>
    rows.evaluateAll((elements) =>
      elements.map((row) => ({
        index: Number(row.ariaRowIndex) - 2,
        number: row.querySelector('[role=rowheader]')!.textContent,
        cells: [...row.querySelectorAll('[role=gridcell]')].map((cell) => ({ column: Number(cell.ariaColIndex) - 2, text: cell.textContent })),
      })),
    )
  /** Waits until the row and the column are shown, in order, and checks that every cell has the value of its row and column. */
  async function expectShown(row: number, column: number): Promise<void> {
    await expect
      .poll(async () => {
        const all = await shown()
        const indexes = all.map(({ index }) => index)
        const places = all[0]!.cells.map((cell) => cell.column)
        return [indexes.includes(row), places.includes(column), isAscending(indexes), all.every(({ cells }) => isAscending(cells.map((cell) => cell.column)))]
      })
      .toEqual([true, true, true, true])
    for (const { index, number, cells } of await shown()) {
      expect(number).toBe(String(index + 1))
      for (const cell of cells) expect(cell.text).toBe((index * 100 + cell.column).toLocaleString('en-US'))
    }
  }
  await expectShown(0, 0)
  await gridOf(page).getByRole('gridcell', { name: '201', exact: true }).click()
  await page.keyboard.press('Shift+ArrowDown')
  expect(await selected.allTextContents()).toEqual(['201', '301'])
  const isSame = await page.evaluateHandle(() => {
    const before = new Set(document.querySelectorAll('[role=row][data-row]'))
    return () => [...document.querySelectorAll('[role=row][data-row]')].every((row) => before.has(row))
  })

  for (const top of [400, 1200, 15_000]) await scrollTo(top, 2000)
  await expectShown(500, 20)
  expect(await isSame.evaluate((check) => check())).toBe(true)
  expect(await selected.count()).toBe(0)
  await scrollTo(0, 0)
  await expectShown(0, 0)
  expect(await selected.allTextContents()).toEqual(['201', '301'])
  expect(await gridOf(page).evaluate((grid) => grid.ariaActiveDescendantElement?.textContent)).toBe('301')
  // Moving on by keyboard starts at the selected row, wherever the table is scrolled to.
  await scrollTo(15_000, 0)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => selected.allTextContents()).toEqual(['401'])
  await expectShown(4, 1)
})

journey('says when a result has more rows than the page loads', async () => {
  await open('/queries/new')
  await writeSql(page, 'select i as n from range(120000) r (i)')
  await run().click()
  await page.getByText('120,000 rows', { exact: true }).waitFor()
  await page.getByText('Showing the first 100,000 rows. Sorting applies only to these.').waitFor()
  expect(await rowCountOf(page)).toBe(100_000)
  await page.getByRole('button', { name: 'Download' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /^CSV For/ }).click()
  // It reads from no table, so its first words name the file.
  expect((await downloading).suggestedFilename()).toBe('select i as n from range.csv')
})

journey('works on a phone in dark mode', async () => {
  await visitor.leave()
  await arrive({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
  await open('/queries/new')
  await page.getByRole('button', { name: 'Tables' }).click()
  await page.getByRole('dialog', { name: 'Tables' }).getByRole('button', { name: 'customers', exact: true }).click()
  await expect.poll(() => page.locator('.cm-line').allTextContents()).toEqual(['customers'])
  await page.keyboard.insertText(' limit 3')
  await page.keyboard.press('Home')
  await page.keyboard.insertText('select * from ')
  await run().click()
  await page.getByText('3 rows', { exact: true }).waitFor()
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)

  // The table scrolls inside itself, and its first column stays.
  const leftOf = async (column: number) => (await gridOf(page).locator(`[data-row="0"] [data-column="${column}"]`).boundingBox())!.x
  const [first, second] = [await leftOf(0), await leftOf(1)]
  await gridOf(page).hover()
  await page.mouse.wheel(150, 0)
  await expect.poll(() => leftOf(1)).toBe(second - 150)
  expect(await leftOf(0)).toBe(first)
  const head = page.getByRole('columnheader', { name: /^customer_id/ })
  expect((await head.boundingBox())!.x).toBe(first)
  expect(await page.evaluate(() => [window.scrollX, document.documentElement.scrollLeft])).toEqual([0, 0])
  await expectNoSidewaysScrolling(page)
})

const isAscending = (values: number[]) => values.every((value, at) => at === 0 || value > values[at - 1]!)
