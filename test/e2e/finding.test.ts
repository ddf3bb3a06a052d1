import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { signIn } from './steps.ts'

/** Favorites, folders, tags, the home page and the command menu, with the sample shop. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('finding')
})
beforeEach(() => arrive({}))
afterEach(() => visitor.leave())

async function arrive(options: Partial<Parameters<typeof visit>[1]>): Promise<void> {
  visitor = await visit(browser, { baseURL: service.baseUrl, ...options })
  page = visitor.page
  await signIn(page, service)
}

const queries = () => page.getByRole('list', { name: 'Queries' }).getByRole('link')
const folders = () => page.getByRole('navigation', { name: 'Folders' })
const home = (region: string) => page.getByRole('region', { name: region, exact: true })

async function openQuery(title: string): Promise<void> {
  await page.goto('/queries')
  await queries().filter({ hasText: title }).first().click()
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

test('the home page shows the sample board with data, and favorites once there are some', async () => {
  const { items } = (await (await page.request.get('/app/api/boards')).json()) as { items: { shortId: string }[] }
  await page.request.post(`/app/api/boards/${items[0]!.shortId}/refresh`, { data: {} })
  await page.goto('/')
  const board = home('Boards').getByRole('link', { name: /Shop overview/ })
  await expect.poll(async () => {
    await page.reload()
    await board.waitFor()
    return board.locator('svg[role=img], .tabular-nums').count()
  }, { timeout: 30_000 }).toBeGreaterThan(0)
  expect(await home('Your queries').count()).toBe(0)

  await openQuery('Top products')
  await page.getByRole('button', { name: 'Add to favorites' }).click()
  await page.getByRole('button', { name: 'Remove from favorites' }).waitFor()
  await openQuery('Biggest orders')
  await page.goto('/')
  const own = home('Your queries').getByRole('listitem')
  await own.filter({ hasText: 'Biggest orders' }).waitFor()
  await expect.poll(() => own.first().textContent()).toContain('Top products')
  await home('Your queries').getByLabel('Favorite').waitFor()
  await expectAccessible(page)

  await page.goto('/queries?favoriteOf=me')
  await expect.poll(() => queries().count()).toBe(1)
})

journey('moves queries into folders with the keyboard and by dragging, and filters by folder and tag', async () => {
  await page.goto('/queries')
  await queries().first().waitFor()
  await page.getByRole('button', { name: 'Folder and tags of Top products' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Folder and tags' })
  await dialog.getByLabel('Folder', { exact: true }).selectOption('New folder…')
  await dialog.getByLabel('Name of the new folder').fill('Reports')
  await dialog.getByLabel('Tags').fill('Weekly, sales')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })

  const reports = folders().getByRole('button', { name: 'Reports', exact: true })
  await queries().filter({ hasText: 'Biggest orders' }).dragTo(reports)
  await page.getByText('Moved “Biggest orders” to Reports.').first().waitFor()
  await reports.click()
  await page.waitForURL('**/folders/*')
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
  await expect.poll(() => queries().count()).toBe(2)
  await expectAccessible(page)
  const folderId = new URL(page.url()).pathname.split('/').at(-1)
  await page.request.post('/app/api/boards', { data: { title: 'Weekly figures', folderId } })
  // Earlier links to a folder show the same.
  await page.goto(`/queries?folder=${folderId}`)
  await page.getByRole('list', { name: 'Boards' }).getByRole('link', { name: /Weekly figures/ }).waitFor()
  await expect.poll(() => queries().count()).toBe(2)
  await expectAccessible(page)
  await page.getByLabel('Tag', { exact: true }).selectOption('Weekly')
  await expect.poll(() => queries().count()).toBe(1)
  await expect.poll(() => queries().first().textContent()).toContain('Top products')

  await page.getByRole('button', { name: 'Actions for the folder Reports' }).click()
  await page.getByRole('menuitem', { name: 'Delete folder' }).click()
  await page.getByText('The folder "Reports" is not empty.').first().waitFor()
  await visitor.leave()

  await arrive({ viewport: { width: 390, height: 780 } })
  await page.goto('/queries')
  await page.getByLabel('Folder', { exact: true }).selectOption('Reports')
  await expect.poll(() => queries().count()).toBe(2)
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  await page.goto('/')
  await home('Boards').getByRole('link', { name: /Shop overview/ }).waitFor()
  await expectNoSidewaysScrolling(page)
})

journey('the command menu finds boards, tables and columns, and acts on the page', async () => {
  await openQuery('Biggest orders')
  const choose = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await page.getByRole('option', { name: option }).click()
  }
  await choose('run query', /^Run query Action$/)
  await page.getByRole('grid').waitFor()
  await choose('dark', /^Switch to dark theme Action$/)
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await choose('shop over', /^Shop overview Board$/)
  await page.getByRole('heading', { name: 'Shop overview', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /^Refresh board Action$/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto('/databases')
  await page.getByRole('link', { name: /Sample shop/ }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /^New chat Page$/ }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /Sample shop/ }).first().click()
  await page.getByText('orders').first().waitFor()
  await choose('discount_percent', /^orders\.discount_percent Column$/)
  await page.waitForURL('**/databases/*?table=orders*')
})

journey('moves, tags and deletes several queries at once, and restores them from the trash', async () => {
  await page.goto('/queries')
  await queries().first().waitFor()
  const rows = page.getByRole('list', { name: 'Queries' }).getByRole('listitem')
  const count = await rows.count()
  const chosen = async (from: number, to: number) => {
    await rows.nth(from).getByRole('checkbox').click()
    await rows.nth(to).getByRole('checkbox').click({ modifiers: ['Shift'] })
  }
  const bar = page.getByRole('toolbar', { name: 'Selected queries' })
  const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()
  await chosen(1, 3)
  await bar.getByText('3 selected').waitFor()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Tag' }).click()
  await page.getByLabel('Tags to add').fill('Quarterly')
  await page.getByRole('button', { name: 'Add tags' }).click()
  await page.getByText('Tagged 3 queries with Quarterly.', { exact: true }).waitFor()
  await expect.poll(() => rows.getByText('Quarterly').count()).toBe(3)

  await chosen(1, 2)
  await bar.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 queries' })
  await dialog.getByLabel('Folder', { exact: true }).selectOption('New folder…')
  await dialog.getByLabel('Name of the new folder').fill('Board meeting')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('Moved 2 queries to Board meeting.', { exact: true }).waitFor()

  // By keyboard.
  await queries().nth(1).focus()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+X')
  const titles = await Promise.all([1, 2].map(async (at) => (await rows.nth(at).getByRole('checkbox').getAttribute('aria-label'))!.slice('Select '.length)))
  // The sample's board and automation use them.
  const confirmation = page.getByRole('alertdialog', { name: 'Delete 2 queries?' })
  await bar.getByRole('button', { name: 'Delete' }).click()
  await confirmation.waitFor()
  await expectAccessible(page)
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Deleted 2 queries.', { exact: true }).waitFor()
  await expect.poll(() => rows.count()).toBe(count - 2)
  await undo()
  await expect.poll(() => rows.count()).toBe(count)
  await chosen(1, 2)
  await bar.getByRole('button', { name: 'Delete' }).click()
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => rows.count()).toBe(count - 2)

  await page.goto('/trash')
  const deleted = page.getByRole('list', { name: 'Deleted items' }).getByRole('listitem')
  await expect.poll(() => deleted.count()).toBe(2)
  await page.getByText('30 days left').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: `Restore ${titles[0]}`, exact: true }).click()
  await page.getByText(`Restored “${titles[0]}”.`, { exact: true }).waitFor()
  await page.setViewportSize({ width: 390, height: 780 })
  await page.getByRole('button', { name: `Remove ${titles[1]}`, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  await expectNoSidewaysScrolling(page)
  await page.goto('/queries')
  await expect.poll(() => rows.count()).toBe(count - 1)
})
