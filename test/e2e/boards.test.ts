import { type EmbedTokenOptions, signEmbedToken } from '@querypost/embed/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startModelServer } from '@querypost/server/testing'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { bundle, startPortal } from './portal.ts'
import { openAs, signIn, storeQueryWithReference } from './steps.ts'

/** Boards in a real browser, with the sample shop. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  service = await newOrganization('boards')
})
afterAll(() => browser?.close())
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

const phone = { width: 360, height: 740 }
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })
const tile = (name: string) => page.getByRole('region', { name, exact: true })
const editedTile = (name: string) => page.getByRole('group', { name, exact: true })
const toast = (text: string) => page.getByText(text, { exact: true }).first()

interface StoredBoard {
  shortId: string
  version: number
  title: string
  tiles: ({ id: string; kind: string; x: number; y: number; width: number; height: number; text?: string } & Record<string, unknown>)[]
}

async function call<Answer>(method: string, path: string, data?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await page.request.fetch(`/app/api${path}`, { method, headers, ...(data !== undefined && { data }) })
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
  const text = await answer.text()
  return (text === '' ? null : JSON.parse(text)) as Answer
}

const readBoard = (shortId: string) => call<StoredBoard>('GET', `/boards/${shortId}`)
const storeBoard = (content: object) => call<StoredBoard>('POST', '/boards', content)

const place = (x: number, y: number, width = 6, height = 4) => ({ x, y, width, height })
const heading = (id: string, text: string, where = place(0, 0, 12, 1)) => ({ id, kind: 'heading', text, ...where })
const queryTile = (id: string, referenceShortId: string, given: object) => ({ id, kind: 'reference', referenceShortId, ...given })

const country = { name: 'country', displayName: 'Country', type: 'text', defaultValue: 'Germany', description: '' }

/** A board with a parameter, one query that uses it, and one that always fails. */
async function storeParameterBoard(title: string): Promise<StoredBoard> {
  const shown = await storeQueryWithReference(page, { title: `${title}: chosen country`, sql: 'select {{country}} as chosen' })
  const failing = await storeQueryWithReference(page, { title: `${title}: broken`, sql: 'select * from no_such_table' })
  return storeBoard({
    title,
    parameters: [country],
    tiles: [
      heading('heading', 'Countries'),
      queryTile('shown', shown, { ...place(0, 1), title: 'Chosen country', parameterMapping: { country: 'country' } }),
      queryTile('broken', failing, { ...place(6, 1), title: 'Broken' }),
    ],
  })
}

test('builds a board from saved queries, with the keyboard, and saves it', async () => {
  await openAs(page, service, '/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Boards' }).click()
  await page.getByRole('link', { name: 'New board' }).click()
  await button('Add tiles').first().click()
  await dialog('Add tiles').getByLabel('Search queries').fill('top products')
  await dialog('Add tiles').getByRole('checkbox', { name: /Top products/ }).check()
  await dialog('Add tiles').getByLabel('Search queries').fill('new and returning')
  await dialog('Add tiles').getByRole('checkbox', { name: /New and returning customers/ }).check()
  await expectAccessible(page)
  await dialog('Add tiles').getByRole('button', { name: 'Add 2 tiles' }).click()
  await editedTile('Top products').waitFor()

  await button('Add tiles').click()
  await dialog('Add tiles').getByRole('tab', { name: 'Text' }).click()
  await dialog('Add tiles').getByRole('textbox', { name: 'Text' }).fill('**Read this first.**')
  await dialog('Add tiles').getByRole('button', { name: 'Add tile' }).click()
  await page.getByText('Read this first.').waitFor()

  // Arrows move the focused tile past the one below; Shift resizes it. Every step is announced.
  await editedTile('Top products').focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('status').filter({ hasText: /^Top products: column 1, row \d+, 6 columns wide, 4 rows high\.$/ }).waitFor()
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByRole('status').filter({ hasText: /^Top products: .* 7 columns wide/ }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+Shift+z')

  await page.getByLabel('Title', { exact: true }).fill('Customers and products')
  await button('Save board').click()
  await page.getByRole('heading', { name: 'Customers and products', level: 1 }).waitFor()
  await page.getByText('Read this first.').waitFor()
  await expectAccessible(page)
  const saved = await readBoard(new URL(page.url()).pathname.split('/').at(-1)!)
  expect(saved.tiles).toHaveLength(3)
  // The second step stays undone.
  expect(saved.tiles.every(({ width }) => width !== 7)).toBe(true)
  await page.goto('/boards')
  await page.getByRole('list', { name: 'Boards' }).getByRole('link', { name: /Customers and products/ }).waitFor()
  await expectAccessible(page)
})

test('shows each tile with its own state, and computes only the results that are missing', async () => {
  await signIn(page, service)
  const { shortId } = await storeParameterBoard('States')
  await page.goto(`/b/${shortId}`)
  await tile('Chosen country').getByText('No results for these values yet').waitFor()
  await tile('Chosen country').getByRole('button', { name: 'Run' }).click()
  await tile('Chosen country').getByRole('gridcell', { name: 'Germany' }).waitFor()
  await button('Refresh').click()
  await tile('Broken').getByRole('button', { name: 'Try again' }).waitFor()
  await tile('Broken').getByText(/no_such_table/).waitFor()
  await tile('Chosen country').getByRole('gridcell', { name: 'Germany' }).waitFor()
  await expectAccessible(page)

  // A new value runs what it needs; the stored result of the default shows again at once.
  await page.getByRole('textbox', { name: 'Country' }).focus()
  await page.getByText('Affects 1 tile.', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Country' }).fill('France')
  await page.keyboard.press('Enter')
  await tile('Chosen country').getByRole('gridcell', { name: 'France' }).waitFor()
  expect(new URL(page.url()).search).toBe('?country=France')
  await page.goBack()
  await tile('Chosen country').getByRole('gridcell', { name: 'Germany' }).waitFor()
  expect(visitor.refusals).toEqual([])
})

journey('shows the progress of a running tile, which can be stopped', async () => {
  await signIn(page, service)
  const endless = await storeQueryWithReference(page, {
    title: 'Endless',
    sql: 'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3',
  })
  const { shortId } = await storeBoard({ title: 'Stopped', tiles: [queryTile('endless', endless, { ...place(0, 0), title: 'Endless' })] })
  await page.goto(`/b/${shortId}`)
  await tile('Endless').getByRole('button', { name: 'Run' }).click()
  await tile('Endless').getByText('Running…').waitFor()
  await tile('Endless').getByText(/^\d+ s$/).waitFor()
  await expectAccessible(page)
  await button('Stop Endless').click()
  await tile('Endless').getByText(/^Stopped by /).waitFor()
  await tile('Endless').getByRole('button', { name: 'Run again' }).waitFor()
  await expectAccessible(page)
})

journey('filters the board by a click on a category, undoes it, and opens another board with the value', async () => {
  await signIn(page, service)
  const other = await storeParameterBoard('Details')
  const orders = await storeQueryWithReference(page, {
    title: 'Orders by country',
    sql: "select * from (values ('Germany', 3), ('France', 2)) as orders (country, orders)",
  })
  const jsxConfig = '<BarChart><XAxis dataKey="country" /><YAxis /><Bar dataKey="orders" /></BarChart>'
  await call('PATCH', `/references/${orders}`, { visualization: { type: 'bar', jsxConfig, marginConfig: {} } })
  const chosen = await storeQueryWithReference(page, { title: 'Chosen', sql: 'select {{country}} as chosen' })
  const { shortId } = await storeBoard({
    title: 'Filtered',
    parameters: [{ ...country, defaultValue: 'Italy' }],
    tiles: [
      queryTile('orders', orders, { ...place(0, 0), title: 'Orders', filters: { column: 'country', parameter: 'country' } }),
      queryTile('chosen', chosen, { ...place(6, 0), title: 'Chosen', parameterMapping: { country: 'country' } }),
      queryTile('opening', orders, {
        ...place(0, 4),
        title: 'Opening',
        opens: { boardShortId: other.shortId, parameter: 'country', column: 'country' },
      }),
    ],
  })
  await page.goto(`/b/${shortId}`)
  await button('Refresh').click()
  await tile('Chosen').getByRole('gridcell', { name: 'Italy' }).waitFor()
  await tile('Orders').getByRole('application').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await tile('Chosen').getByRole('gridcell', { name: 'Germany' }).waitFor()
  expect(new URL(page.url()).search).toBe('?country=Germany')
  await expectAccessible(page)
  await page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: 'Remove filter Country: Germany' }).click()
  await tile('Chosen').getByRole('gridcell', { name: 'Italy' }).waitFor()
  expect(new URL(page.url()).search).toBe('')

  // Viewers of a link can do the same with the values that they may choose.
  const options = { parameters: [{ name: 'country', values: ['Germany'] }], downloads: ['csv', 'xlsx', 'png'] }
  const { url } = await call<{ url: string }>('POST', `/boards/${shortId}/public-links`, options)
  const viewer = await visit(browser, { baseURL: service.baseUrl })
  await viewer.page.goto(new URL(url).pathname)
  const viewed = (name: string) => viewer.page.getByRole('region', { name, exact: true })
  await viewed('Orders').getByRole('application').focus()
  for (const key of ['End', 'Enter', 'Home', 'Enter']) await viewer.page.keyboard.press(key)
  await viewed('Chosen').getByRole('gridcell', { name: 'Germany' }).waitFor()
  await expect.poll(() => viewer.page.getByLabel('Country', { exact: true }).inputValue()).toBe('Germany')
  await viewer.page.getByRole('button', { name: 'Remove filter Country: Germany' }).click()
  await viewed('Chosen').getByRole('gridcell', { name: 'Italy' }).waitFor()
  expect(viewer.refusals).toEqual([])
  await viewer.leave()

  await tile('Opening').getByRole('application').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Details', level: 1 }).waitFor()
  await tile('Chosen country').getByRole('gridcell', { name: 'France' }).waitFor()
})

journey('asks what to do when somebody else has saved the board', async () => {
  await signIn(page, service)
  const board = await storeBoard({ title: 'Contested', tiles: [heading('a', 'First')] })
  const { shortId } = board
  await page.goto(`/b/${shortId}`)
  await button('Edit').click()
  await page.getByLabel('Title', { exact: true }).fill('Mine')
  await call('PATCH', `/boards/${shortId}`, { title: 'Theirs' }, { 'if-match': `"${board.version}"` })
  await button('Save').click()
  await dialog('The board has changed').getByText('Renamed from “Contested” to “Theirs”').waitFor()
  await expectAccessible(page)
  await dialog('The board has changed').getByRole('button', { name: 'Overwrite theirs' }).click()
  await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor()

  // The overwritten version can be restored.
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Version history' }).click()
  await dialog('Version history').getByText('Renamed from “Theirs” to “Mine”').waitFor()
  await expectAccessible(page)
  await dialog('Version history').getByRole('button', { name: 'Restore version 2' }).click()
  await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor()
})

journey('asks before unsaved changes are lost, and undoes a deletion', async () => {
  await signIn(page, service)
  const { shortId } = await storeBoard({ title: 'Short-lived', tiles: [heading('a', 'First')] })
  await page.goto(`/b/${shortId}`)
  await button('Edit').click()
  await editedTile('First').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('heading', { name: 'Add the first tile' }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Queries' }).click()
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
  await button('Cancel').click()
  await page.getByRole('alertdialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { name: 'First' }).waitFor()

  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete board' }).click()
  await toast('Deleted “Short-lived”.').waitFor()
  await button('Undo').click()
  await page.getByRole('heading', { name: 'Short-lived', level: 1 }).waitFor()
  expect(visitor.refusals).toEqual([])
})

journey('moves a tile with the mouse, to another tab, and changes its parameters', async () => {
  await signIn(page, service)
  const { shortId } = await storeBoard({ title: 'Dragged', tiles: [heading('a', 'Top', place(0, 0, 6, 1)), heading('b', 'Bottom', place(0, 1, 6, 1))] })
  await page.goto(`/b/${shortId}`)
  await button('Edit').click()
  const from = (await editedTile('Top').boundingBox())!
  await page.mouse.move(from.x + 20, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width + 60, from.y + 24, { steps: 5 })
  await page.mouse.up()
  await button('Save').click()
  await expect.poll(async () => (await readBoard(shortId)).tiles.find(({ text }) => text === 'Top')?.x).toBe(6)

  await button('Edit').click()
  await button('Add tab').click()
  await button('Tab 1').click()
  await button('Actions for Bottom').click()
  await page.getByRole('menuitem', { name: 'Move to “Tab 2”' }).click()
  await editedTile('Bottom').waitFor()
  await button('Parameters').click()
  await dialog('Parameters').getByLabel('New parameter').fill('Sales region')
  await dialog('Parameters').getByRole('button', { name: 'Add parameter' }).click()
  await page.getByRole('dialog', { name: /sales_region/ }).getByRole('button', { name: 'Save parameter' }).click()
  await dialog('Parameters').getByText('Affects no tiles yet').waitFor()
  await expectAccessible(page)
  await dialog('Parameters').getByRole('button', { name: 'Close' }).click()
  await button('Save').click()
  await page.getByRole('textbox', { name: 'Sales region' }).waitFor()
  await page.getByRole('tab', { name: 'Tab 2' }).click()
  await page.getByRole('heading', { name: 'Bottom' }).waitFor()
  expect(new URL(page.url()).searchParams.get('tab')).not.toBeNull()
})

journey('fits on a phone and can be rearranged there', async () => {
  await page.setViewportSize(phone)
  await signIn(page, service)
  const { shortId } = await storeParameterBoard('Pocket')
  await page.goto(`/b/${shortId}`)
  await tile('Chosen country').waitFor()
  const names = () => page.getByRole('list', { name: 'Tiles' }).getByRole('listitem').allInnerTexts()
  expect((await names()).map((text) => text.split('\n', 1)[0])).toEqual(['Countries', 'Chosen country', 'Broken'])
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  await button('Edit board').click()
  await button('Move Broken up').click()
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  await button('Save').click()
  await button('Edit board').waitFor()
  await expect.poll(async () => (await names()).map((text) => text.split('\n', 1)[0])).toEqual(['Countries', 'Broken', 'Chosen country'])
})

journey('drafts a board from words, and saves it after a look', async () => {
  await signIn(page, service)
  const model = await startModelServer()
  try {
    await call('PUT', '/model-settings', { provider: 'openai_compatible', baseUrl: model.url, model: 'scripted', apiKey: 'secret' })
    const orders = await storeQueryWithReference(page, { title: 'Orders of the week', sql: 'select 7 as orders' })
    const tiles = [
      { kind: 'heading', text: 'The week', width: 12, height: 1 },
      { kind: 'reference', referenceShortId: orders, width: 6, height: 4 },
    ]
    await page.goto('/boards')
    const describing = page.getByRole('form', { name: 'Describe a board' })
    await describing.getByRole('textbox').fill('How many orders of the week?')
    // The first proposal names a query that doesn't exist, and is rejected.
    model.script(
      { toolCalls: [{ name: 'propose_board', input: { title: 'Week', tiles: [{ ...tiles[1], referenceShortId: 'nosuchqury' }] } }] },
      { toolCalls: [{ name: 'propose_board', input: { title: 'Week in orders', tiles } }] },
    )
    await describing.getByRole('button', { name: 'Draft board' }).click()
    await page.getByText('This is a draft. Check the tiles, then save the board.').waitFor()
    await editedTile('Orders of the week').waitFor()
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Week in orders')
    await expectAccessible(page)
    await page.setViewportSize(phone)
    await expectNoSidewaysScrolling(page)
    await button('Save board').click()
    await page.getByRole('heading', { name: 'Week in orders', level: 1 }).waitFor()

    // Without a usable answer, the draft has the queries that match best.
    await page.goto('/boards')
    await expectNoSidewaysScrolling(page)
    model.script({ status: 400, body: { error: { message: 'no such model' } } })
    await describing.getByRole('textbox').fill('Orders of the week')
    await describing.getByRole('button', { name: 'Draft board' }).click()
    await page.getByText(/^The model could not draft the board: /).waitFor()
    await editedTile('Orders of the week').waitFor()
  } finally {
    await model.close()
    await call('DELETE', '/model-settings')
  }
})

/** A PNG image of one pixel. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

for (const [device, size] of Object.entries({ desktop: { width: 1280, height: 800 }, phone })) {
  journey(`adds an image and rejects other files, on a ${device}`, async () => {
    await page.setViewportSize(size)
    await signIn(page, service)
    const { shortId } = await storeBoard({ title: 'Pictures', tiles: [heading('a', 'First')] })
    await page.goto(`/b/${shortId}`)
    await button(/^Edit( board)?$/).click()
    await button('Add tiles').click()
    await dialog('Add tiles').getByRole('tab', { name: 'Image' }).click()
    const choose = async (name: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser')
      await dialog('Add tiles').getByRole('button', { name: /^Choose/ }).click()
      await (await chooser).setFiles({ name, mimeType: 'image/png', buffer })
    }
    await choose('drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await dialog('Add tiles').getByRole('alert').getByText(/PNG/).waitFor()
    expect(await dialog('Add tiles').getByRole('button', { name: 'Add tile' }).isDisabled()).toBe(true)
    await choose('large.png', Buffer.alloc(1024 * 1024 + 1))
    await dialog('Add tiles').getByText('This image is larger than 1 MB. Choose a smaller one.').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
    await choose('pixel.png', pixel)
    await dialog('Add tiles').getByText('pixel.png').waitFor()
    await dialog('Add tiles').getByLabel('Description').fill('One pixel')
    await dialog('Add tiles').getByRole('button', { name: 'Add tile' }).click()
    await button('Save').click()
    const image = page.getByRole('img', { name: 'One pixel' })
    await button(/^Edit( board)?$/).waitFor()
    await image.scrollIntoViewIfNeeded()
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
    await expectAccessible(page)
  })
}

journey('changes what a tile shows, which values it takes, and what a click does', async () => {
  await signIn(page, service)
  const sql = "select {{country}} as country, 3 as orders union all select 'Spain', 2"
  const reference = await storeQueryWithReference(page, { title: 'Configured', sql })
  await call('PATCH', `/references/${reference}`, { parameters: [country] })
  const { shortId } = await storeBoard({
    title: 'Settings',
    parameters: [{ ...country, defaultValue: 'Italy' }],
    tiles: [queryTile('chosen', reference, place(0, 0))],
  })
  await page.goto(`/b/${shortId}`)
  await tile('Configured').getByRole('button', { name: 'Run' }).click()
  await tile('Configured').getByRole('gridcell', { name: 'Germany' }).waitFor()
  await button('Edit').click()
  await button('Settings of Configured').click()
  const settings = dialog('Tile settings')
  await settings.getByLabel('Title').fill('Orders here')
  await settings.getByLabel('Show as').selectOption({ label: 'Table' })
  await settings.getByLabel('Country').selectOption({ label: 'Board parameter: Country' })
  await settings.getByLabel('What a click does').selectOption({ label: 'Filters this board' })
  await settings.getByLabel('Column with the value').selectOption('country')
  await settings.getByLabel('Parameter to set').selectOption({ label: 'Country' })
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  await settings.getByRole('button', { name: 'Apply' }).click()
  await settings.waitFor({ state: 'detached' })
  await button('Save').click()
  await button('Edit board').waitFor()
  const [saved] = (await readBoard(shortId)).tiles
  expect(saved).toMatchObject({
    title: 'Orders here',
    shows: 'table',
    parameterMapping: { country: 'country' },
    filters: { column: 'country', parameter: 'country' },
  })
})

journey('shows only the tiles on a wall display, until Escape', async () => {
  await signIn(page, service)
  const { shortId } = await storeBoard({
    title: 'Wall',
    tabs: [{ id: 'one', title: 'One' }, { id: 'two', title: 'Two' }],
    tiles: [{ ...heading('a', 'First'), tabId: 'one' }, { ...heading('b', 'Second'), tabId: 'two' }],
  })
  await page.clock.install()
  await page.goto(`/b/${shortId}?display=1&rotate=30`)
  await page.getByRole('heading', { name: 'First' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
  await expectNoSidewaysScrolling(page)
  await page.clock.runFor(30_000)
  await page.getByRole('heading', { name: 'Second' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  expect(new URL(page.url()).searchParams.get('display')).toBeNull()
})

journey('adds a query to a board from its page', async () => {
  await signIn(page, service)
  const { shortId } = await storeBoard({ title: 'Collected', tiles: [] })
  const reference = await storeQueryWithReference(page, { title: 'One', sql: 'select 1 as one' })
  await page.goto(`/q/${reference}`)
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Add to board' }).click()
  await dialog('Add to board').getByRole('button', { name: 'Collected' }).click()
  await button('Open board').click()
  await tile('One').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/b/${shortId}`)
})

test('answers a link to no board with a page that says so', async () => {
  await signIn(page, service)
  const answer = await page.goto('/b/nosuchbord')
  expect(answer!.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

test('shares a board by a link with a password, counts its views, and revokes it', async () => {
  await openAs(page, service, '/')
  const board = await storeParameterBoard('Shared')
  await call('POST', `/boards/${board.shortId}/refresh`, { parameters: { country: 'France' } })
  await call('POST', `/boards/${board.shortId}/refresh`)
  await page.goto(`/b/${board.shortId}`)
  await button('Share').click()
  await button('New public link').click()
  const form = dialog('New public link')
  await form.getByLabel('Download results as CSV').check()
  await form.getByRole('checkbox', { name: 'Country' }).check()
  await form.getByLabel('Allowed values of Country').fill('France')
  await form.getByLabel('Require a password').check()
  await form.getByLabel('Password', { exact: true }).fill('too short')
  await form.getByRole('button', { name: 'Create link' }).click()
  await form.getByText('Must have at least 12 characters; it has 9').waitFor()
  await form.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create link' }).click()
  await dialog('Share “Shared”').getByText('Download as CSV · Change 1 parameter').waitFor()
  await expectAccessible(page)
  const { items } = await call<{ items: { url: string }[] }>('GET', `/boards/${board.shortId}/public-links`)

  // Someone who is not signed in.
  const viewer = await visit(browser, { baseURL: service.baseUrl })
  await viewer.page.goto(new URL(items[0]!.url).pathname)
  await viewer.page.getByLabel('Password').fill('correct horse battery')
  await viewer.page.getByRole('button', { name: 'Open' }).click()
  const shown = viewer.page.getByRole('region', { name: 'Chosen country' })
  await shown.getByRole('gridcell', { name: 'Germany' }).waitFor()
  await viewer.page.getByRole('region', { name: 'Broken' }).getByText('This result isn’t available').waitFor()
  await viewer.page.getByLabel('Country', { exact: true }).selectOption('France')
  await shown.getByRole('gridcell', { name: 'France' }).waitFor()
  const downloading = viewer.page.waitForEvent('download')
  await shown.hover()
  await viewer.page.getByRole('button', { name: 'Download Chosen country as CSV' }).click()
  expect((await downloading).suggestedFilename()).toBe('Chosen country.csv')
  await expectAccessible(viewer.page)
  await viewer.page.setViewportSize(phone)
  await expectNoSidewaysScrolling(viewer.page)

  await page.goto('/settings/sharing')
  const row = page.getByRole('list', { name: 'Public links' }).getByRole('listitem').filter({ hasText: 'Shared' })
  await row.getByText('1 view').waitFor()
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await button('Revoke link').click()
  await toast('Link revoked.').waitFor()
  await viewer.page.reload()
  await viewer.page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor()
  await viewer.leave()
})

/** A board of which visitors may change the country, and a function that signs tokens for it. */
async function storeEmbeddedBoard(title: string) {
  const { shortId } = await storeParameterBoard(title)
  const { id: keyId, secret } = await call<{ id: string; secret: string }>('POST', '/embed-secrets', { name: title })
  const sign = (options: Partial<EmbedTokenOptions> = {}) =>
    signEmbedToken({ keyId, secret, resource: 'board', shortId, parameters: {}, viewerParameters: ['country'], ...options })
  return { shortId, sign }
}

journey('a page of another origin embeds a board with a plain frame, and replaces its expired token', async () => {
  await openAs(page, service, '/')
  const { shortId, sign } = await storeEmbeddedBoard('Plain frame')
  const locked = { parameters: { country: 'Italy' }, viewerParameters: [] }
  const expired = sign({ ...locked, now: new Date(Date.now() - 60_000), lifetimeSeconds: 30 })
  const portal = await startPortal(() => ({
    body: `<!doctype html><html lang="en"><title>Portal</title>
      <iframe title="Board" src="${service.baseUrl}/embed/${shortId}?token=${expired}" width="900"></iframe>
      <script>
        const frame = document.querySelector('iframe')
        addEventListener('message', ({ origin, source, data }) => {
          if (origin !== '${service.baseUrl}' || source !== frame.contentWindow) return
          if (data.type === 'querypost:height') frame.height = data.height
          if (data.type === 'querypost:token-needed') source.postMessage({ type: 'querypost:token', token: '${sign(locked)}' }, origin)
        })
      </script>`,
  }))
  await call('PUT', '/embedding/origins', { origins: [portal.url] })
  const customer = await visit(browser, { baseURL: portal.url })
  await customer.page.goto('/')
  await customer.page.frameLocator('iframe').getByRole('gridcell', { name: 'Italy' }).waitFor()
  await expect.poll(async () => Number(await customer.page.locator('iframe').getAttribute('height'))).toBeGreaterThan(300)
  await customer.leave()
  portal.close()
})

journey('the web component shows a board with theme and height, renews its token in place, and is of no use to other origins', async () => {
  await openAs(page, service, '/')
  const { shortId, sign } = await storeEmbeddedBoard('Component')
  let signed = 0
  let isSigningDown = false
  const reactPage = await bundle('portal-react.ts')
  const portal = await startPortal((asked) => {
    if (asked === '/forger') return { body: '<script>parent.postMessage({ type: "querypost:ready", title: "Forged" }, "*")</script>' }
    if (asked === '/react') {
      const root = `<div id="root" data-src="${service.baseUrl}/embed/${shortId}"></div>`
      return { body: `<!doctype html><html lang="en"><title>Portal</title>${root}<script type="module">${reactPage}</script>` }
    }
    if (asked === '/token') {
      if (isSigningDown) return { status: 503, body: '' }
      signed++
      return { type: 'text/plain', body: sign({ lifetimeSeconds: 8, downloads: ['xlsx', 'png'] }) }
    }
    return {
      body: `<!doctype html><html lang="en"><title>Portal</title><main><h1>Portal</h1>
        <querypost-embed base-url="${service.baseUrl}" short-id="${shortId}" color-scheme="dark" accent="#a78bfa" font-family="Georgia, serif"></querypost-embed></main>
        <script type="module">
          window.events = []
          window.heard = []
          addEventListener('message', ({ data }) => heard.push(data.type))
          const embed = document.querySelector('querypost-embed')
          for (const type of ['ready', 'error', 'resize', 'parameters-changed']) {
            embed.addEventListener(type, ({ detail }) => events.push({ type, ...detail }))
          }
          embed.getToken = async () => {
            const answer = await fetch('/token')
            if (!answer.ok) throw new Error('signing is down')
            return answer.text()
          }
          import('/library/browser/index.ts')
        </script>`,
    }
  })
  await call('PUT', '/embedding/origins', { origins: [portal.url] })
  const stranger = await visit(browser, { baseURL: portal.otherUrl })
  // The browser blocks the frame, and drops what the component sends to it.
  stranger.expectErrors(/violates the following Content Security Policy directive: "frame-ancestors|does not match the recipient window's origin \('null'\)/)
  await stranger.page.goto('/')
  const customer = await visit(browser, { baseURL: portal.url })
  // The check for accessibility also sends messages to frames, with the origin of the page.
  customer.expectErrors(/does not match the recipient window's origin/)
  await customer.page.goto('/')
  type Event = { type: string; title?: string; code?: string; height?: number; parameters?: object }
  const eventsOf = (visited: Page, type: string) =>
    visited.evaluate((wanted) => (window as unknown as { events: Event[] }).events.filter((event) => event.type === wanted), type)
  const element = customer.page.locator('querypost-embed')
  const content = element.frameLocator('iframe')
  const shown = content.getByRole('region', { name: 'Chosen country' })
  await shown.getByRole('gridcell', { name: 'Germany' }).waitFor()
  expect((await eventsOf(customer.page, 'ready'))[0]).toEqual({ type: 'ready', title: 'Component' })
  expect(await element.locator('iframe').getAttribute('title')).toBe('Component')
  await expectAccessible(customer.page)

  // The theme of the attributes, then another one without a reload.
  const root = content.locator('html')
  const look = () =>
    root.evaluate((html) => [html.dataset['theme'], html.style.getPropertyValue('--accent'), getComputedStyle(document.body).fontFamily])
  expect(await look()).toEqual(['dark', '#a78bfa', 'Georgia, serif'])
  await root.evaluate((html) => html.setAttribute('data-first', ''))
  await element.evaluate((embed) => Object.assign(embed, { theme: { colorScheme: 'light', accent: 'url(x)' } }))
  await expect.poll(look).toEqual(['light', '', 'Georgia, serif'])

  // The frame is as high as its content, on a phone and back.
  const heights = async () => [
    await content.locator('#root').evaluate((whole) => Math.ceil(whole.getBoundingClientRect().height)),
    await element.locator('iframe').evaluate((frame) => frame.clientHeight),
  ]
  const isFitting = async () => {
    const [wanted, actual] = await heights()
    return wanted === actual && actual! > 300
  }
  await expect.poll(isFitting).toBe(true)
  const [wide] = await heights()
  await customer.page.setViewportSize(phone)
  await expect.poll(async () => (await heights())[1]! > wide! && (await isFitting())).toBe(true)
  await expectNoSidewaysScrolling(customer.page)
  await customer.page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(heights).toEqual([wide, wide])

  // Tokens last seconds. The choice of the visitor outlives them.
  await content.getByLabel('Country', { exact: true }).fill('France')
  await content.getByLabel('Country', { exact: true }).press('Enter')
  await shown.getByRole('gridcell', { name: 'France' }).waitFor()
  expect(await eventsOf(customer.page, 'parameters-changed')).toEqual([{ type: 'parameters-changed', parameters: { country: 'France' } }])
  const before = signed
  await expect.poll(() => signed).toBeGreaterThan(before)
  const isUntouched = async () => [await root.getAttribute('data-first'), await shown.getByRole('gridcell', { name: 'France' }).count()]
  expect(await isUntouched()).toEqual(['', 1])
  isSigningDown = true
  const problem = element.getByRole('alert')
  await problem.getByText('This content can’t be updated right now.').waitFor()
  expect((await eventsOf(customer.page, 'error'))[0]).toMatchObject({ code: 'token_unavailable' })
  expect(await isUntouched()).toEqual(['', 1])
  await expectAccessible(customer.page)
  isSigningDown = false
  await problem.getByRole('button', { name: 'Try again' }).click()
  await problem.waitFor({ state: 'hidden' })
  const downloading = customer.page.waitForEvent('download')
  await content.getByRole('button', { name: 'Download board as PNG' }).click()
  expect((await downloading).suggestedFilename()).toBe('Component.png')
  expect(await isUntouched()).toEqual(['', 1])

  // Messages of other frames are ignored.
  await customer.page.evaluate((address) => {
    const frame = document.createElement('iframe')
    frame.src = address
    frame.title = 'Forger'
    document.body.append(frame)
  }, `${portal.otherUrl}/forger`)
  await expect.poll(() => customer.page.evaluate(() => (window as unknown as { heard: string[] }).heard.at(-1))).toBe('querypost:ready')
  expect((await eventsOf(customer.page, 'ready')).map(({ title }) => title)).not.toContain('Forged')

  // The same as a React component.
  await customer.page.goto('/react')
  await customer.page.getByRole('heading', { name: 'Component is shown' }).waitFor()
  await shown.getByRole('gridcell', { name: 'Germany' }).waitFor()
  expect(await root.getAttribute('data-theme')).toBe('light')
  await customer.page.getByRole('button', { name: 'Dark' }).click()
  await expect.poll(() => root.getAttribute('data-theme')).toBe('dark')

  // The page of the other origin got a token, but no content and no message.
  await stranger.page.locator('querypost-embed').getByText('This content can’t be shown right now.').waitFor()
  expect(await eventsOf(stranger.page, 'error')).toMatchObject([{ code: 'frame_not_connected' }])
  expect(await stranger.page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([])
  expect(stranger.page.frames().map((frame) => frame.url())).not.toContain(expect.stringContaining('/embed/'))
  await customer.leave()
  await stranger.leave()
  portal.close()
})
