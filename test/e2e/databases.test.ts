import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { type Service, startService } from './service.ts'
import { joinAsMember, openAs } from './steps.ts'

/** Databases, and the files that become their tables. */
let service: Service
let browser: Browser
let visitor: Visitor
let page: Page
let folder: string

beforeAll(async () => {
  browser = await openBrowser()
  service = await startService()
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-'))
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

interface SentFile {
  name: string
  mimeType: string
  buffer: Buffer
}

const csv = (name: string, text: string): SentFile => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const chooseFiles = async (files: SentFile[]) => {
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).click()
  await (await asked).setFiles(files)
}
const dropFile = async ({ name, buffer }: SentFile) => {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text!], fileName!))
      return transfer
    },
    [name, buffer.toString()],
  )
  const area = page.getByRole('group', { name: /Drop CSV/ })
  await area.dispatchEvent('dragenter', { dataTransfer })
  await page.getByText('Drop to add').waitFor()
  await page.getByRole('group', { name: 'Drop to add' }).dispatchEvent('drop', { dataTransfer })
}
const fileItem = (name: string) => page.getByRole('listitem', { name, exact: true })
const importButton = () => page.getByRole('button', { name: /^Import/ })
const tableButton = (name: RegExp) => page.getByRole('list', { name: 'Tables of main' }).getByRole('button', { name })

/** Through the page's own session; resolves with the id. */
async function addDatabase(name: string): Promise<string> {
  const answer = await page.request.post('/app/api/databases', { data: { name, engine: 'duckdb' } })
  return ((await answer.json()) as { id: string }).id
}

test('from nothing to a query: an empty database, files dropped and chosen, a question asked', async () => {
  await openAs(page, service, '/databases')
  const sample = page.getByRole('listitem').filter({ hasText: 'Sample shop' })
  await sample.getByText('3 tables').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add database' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add database' })
  await dialog.getByLabel('Name', { exact: true }).fill('sample SHOP')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add database' }).click()
  await dialog.getByRole('alert').getByText('Is taken; choose another').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Field work')
  await dialog.getByRole('button', { name: 'Add database' }).click()
  await page.getByRole('heading', { name: 'Field work', level: 1 }).waitFor()
  await expectAccessible(page)

  await dropFile(csv('Bird sightings 2026.csv', 'bird,seen\nwren,3\nrobin,12\nheron,1\n'))
  const dropped = fileItem('Bird sightings 2026.csv')
  expect(await dropped.getByLabel('Table name').inputValue()).toBe('bird_sightings_2026')
  await dropped.getByLabel('Table name').fill('birds')
  await chooseFiles([csv('Birds.csv', 'x\n1\n'), csv('places.csv', 'place\npond\nhedge\n')])
  expect(await fileItem('Birds.csv').getByLabel('Table name').inputValue()).toBe('birds_2')
  await fileItem('Birds.csv').getByLabel('Table name').fill('BIRDS')
  await fileItem('Birds.csv').getByText('Another of these files has that name').waitFor()
  await fileItem('Birds.csv').getByRole('button', { name: /Take/ }).click()
  await expectAccessible(page)
  await importButton().click()
  await dropped.getByText('3 rows in the table birds').waitFor()
  await fileItem('places.csv').getByText('2 rows in the table places').waitFor()

  await tableButton(/birds/).click()
  await page.getByRole('grid', { name: 'First rows of birds' }).getByText('heron').waitFor()
  expect(new URL(page.url()).searchParams.get('table')).toBe('birds')
  await page.getByRole('list', { name: 'Columns of birds' }).getByText('varchar').waitFor()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)

  await dropped.getByRole('link', { name: 'Query it' }).click()
  await page.waitForURL('**/queries/new**')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('grid').getByText('robin').waitFor()
})

test('a file that cannot be read is refused with its line, and what was typed stays', async () => {
  await openAs(page, service, '/databases')
  await page.goto(`/databases/${await addDatabase('Mistakes')}`)
  await chooseFiles([csv('orders.csv', 'a,b\n1,2\n3,4,5\n')])
  const item = fileItem('orders.csv')
  await item.getByLabel('Table name').fill('my orders')
  await item.getByText('Letters, digits and underscores').waitFor()
  expect(await importButton().isDisabled()).toBe(true)
  await item.getByLabel('Table name').fill('my_orders')
  await item.getByLabel('Table name').press('Enter')
  await item.getByRole('alert').getByText('Line 3 of the file cannot be read').waitFor()
  expect(await item.getByLabel('Table name').inputValue()).toBe('my_orders')
  const refusals = visitor.refusals.filter((refusal) => refusal.includes('/tables'))
  expect(refusals).toEqual([expect.stringMatching(/^422 POST/)])
  await expectAccessible(page)
  await item.getByRole('button', { name: /Take/ }).click()

  await chooseFiles([csv('book.xlsx', 'PK'), csv('my_orders.csv', 'a\n1\n')])
  await fileItem('book.xlsx').getByText('Save the sheet as CSV').waitFor()
  await importButton().click()
  await fileItem('my_orders.csv').getByText('1 row in the table my_orders').waitFor()

  await chooseFiles([csv('MY_ORDERS.csv', 'a\n7\n8\n')])
  const again = fileItem('MY_ORDERS.csv')
  expect(await importButton().isDisabled()).toBe(true)
  await again.getByLabel(/Replace the table my_orders/).check()
  await importButton().click()
  await again.getByText('2 rows in the table my_orders').waitFor()
})

test('an upload shows how far it is, can be cancelled, and be sent again', async () => {
  await openAs(page, service, '/databases')
  const id = await addDatabase('Slow line')
  await page.goto(`/databases/${id}`)
  // 4 MB at 200 kB a second: nobody waits for its end.
  const network = await page.context().newCDPSession(page)
  const throttle = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await network.send('Network.enable')
  await throttle(200_000)
  const text = `n,filler\n${'1,some words that fill the line\n'.repeat(130_000)}`
  await chooseFiles([csv('large.csv', text), csv('small.csv', 'a\n1\n')])
  await importButton().click()
  const large = fileItem('large.csv')
  await large.getByRole('progressbar', { name: 'Sending large.csv' }).waitFor()
  await large.getByText(/^[1-9]\d? % of 4\.\d MB sent$/).waitFor()
  await fileItem('small.csv').getByText('Waiting for the files before it').waitFor()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Queries', exact: true }).first().click()
  const leaving = page.getByRole('alertdialog', { name: 'Files are still on their way' })
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await leaving.waitFor({ state: 'detached' })

  await fileItem('small.csv').getByRole('button', { name: 'Cancel' }).click()
  await large.getByRole('button', { name: 'Cancel' }).click()
  await large.getByLabel('Table name').waitFor()
  await importButton().waitFor()
  const tables = await page.request.get(`/app/api/databases/${id}/tables`)
  expect(await tables.json()).toEqual({ items: [] })

  await throttle(-1)
  await fileItem('small.csv').getByRole('button', { name: /Take/ }).click()
  await importButton().click()
  await large.getByText('130,000 rows in the table large').waitFor()
})

test('a Parquet file, tested and found again; then the database goes', async () => {
  const file = path.join(folder, 'cities.parquet')
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`copy (select 'Köln' as city, 1080000 as people) to '${file}' (format parquet)`)
  connection.closeSync()
  instance.closeSync()

  await openAs(page, service, '/databases')
  const id = await addDatabase('Passing')
  await page.goto(`/databases/${id}`)
  await chooseFiles([{ name: 'cities.parquet', mimeType: 'application/octet-stream', buffer: await readFile(file) }])
  await importButton().click()
  await fileItem('cities.parquet').getByText('1 row in the table cities').waitFor()

  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText(/^It works: DuckDB v[\d.]+ answered in [\d.]+ m?s\.$/).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('people')
  await page.getByRole('list', { name: 'Columns of cities' }).getByText('people').waitFor()
  await page.getByLabel('Search tables and columns').fill('nothing like it')
  await page.getByText('No table or column is called “nothing like it”.').waitFor()

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Almost gone')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'Almost gone', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete database' }).click()
  await page.getByRole('heading', { name: 'Databases', level: 1 }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Sample shop' }).waitFor()
  expect(await page.getByRole('link', { name: 'Almost gone' }).count()).toBe(0)

  await page.getByRole('link', { name: 'Sample shop' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText(/saved queries run against this database/).waitFor()
})

test('a DuckDB file is brought as it is', async () => {
  const file = path.join(folder, 'mine.duckdb')
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run('create schema old; create table old.things as select 42 as answer')
  await connection.run('create view main.all_things as from old.things')
  connection.closeSync()
  instance.closeSync()

  await openAs(page, service, '/databases')
  await page.getByRole('button', { name: 'Add database' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add database' })
  await dialog.getByLabel('Name', { exact: true }).fill('Brought')
  await dialog.getByLabel('A DuckDB file of yours').check()
  const asked = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a file' }).click()
  await (await asked).setFiles([{ name: 'no.duckdb', mimeType: '', buffer: Buffer.alloc(20_000, 'x') }])
  await dialog.getByRole('button', { name: 'Add database' }).click()
  await dialog.getByRole('alert').getByText('could not be opened').waitFor()
  const again = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose another file' }).click()
  await (await again).setFiles(file)
  await dialog.getByRole('button', { name: 'Add database' }).click()
  await page.getByRole('heading', { name: 'Brought', level: 1 }).waitFor()
  await page.getByRole('list', { name: 'Tables of old' }).getByRole('button', { name: /things/ }).click()
  await page.getByRole('grid').getByText('42').waitFor()
  await page.getByRole('button', { name: /all_things/ }).press('Enter')
  const link = page.getByRole('link', { name: 'Query this view' })
  expect(await link.getAttribute('href')).toContain('from+all_things')
})

test('a member looks, also on a phone, and changes nothing', async () => {
  await openAs(page, service, '/databases')
  const listed = await page.request.get('/app/api/databases')
  const { items } = (await listed.json()) as { items: { id: string; name: string }[] }
  const sample = items.find(({ name }) => name === 'Sample shop')!
  const other = await visit(browser, { baseURL: service.baseUrl, viewport: { width: 360, height: 740 } })
  await joinAsMember(other.page, page, { name: 'Mo' })
  await other.page.goto('/databases')
  await other.page.getByRole('link', { name: 'Sample shop' }).waitFor()
  expect(await other.page.getByRole('button', { name: 'Add database' }).count()).toBe(0)
  await expectNoSidewaysScrolling(other.page)
  await expectAccessible(other.page)
  await other.page.getByRole('link', { name: 'Sample shop' }).click()
  await other.page.getByRole('button', { name: /orders/ }).click()
  await other.page.getByRole('grid', { name: 'First rows of orders' }).waitFor()
  for (const name of ['Test', 'More', 'Add tables from files', 'Choose files']) {
    expect(await other.page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
  }
  await expectNoSidewaysScrolling(other.page)
  await expectAccessible(other.page)
  const address = `/app/api/databases/${sample.id}/tables?name=x&format=csv`
  const refused = await other.page.request.post(address, { data: 'a\n1\n' })
  expect(refused.status()).toBe(403)
  await other.leave()

  await page.goto('/databases/db_0000000000000000000000')
  await page.getByRole('heading', { name: 'This link leads nowhere' }).waitFor()
})
