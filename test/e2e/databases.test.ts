import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PostgresWithPassword, startPostgresWithPassword, startScriptedBigquery } from '@querypost/server/testing'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { writeSql } from './sql.ts'
import { joinAsMember, openAs, signIn } from './steps.ts'

/** The pages for databases and uploads. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page
let folder: string

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('databases')
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-'))
})
afterAll(async () => {
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

const workbook = path.join(import.meta.dirname, '../../apps/server/testing/engines/workbooks/orders.xlsx')

/** Adds a database with the page's session and resolves with its ID. */
async function addDatabase(name: string): Promise<string> {
  const answer = await page.request.post('/app/api/databases', { data: { name, engine: 'duckdb' } })
  return ((await answer.json()) as { id: string }).id
}

test('adds an empty database, uploads files and queries a table', async () => {
  await openAs(page, service, '/databases')
  const sample = page.getByRole('listitem').filter({ hasText: 'Sample shop' })
  await sample.getByText('3 tables').waitFor()
  // Nobody tested it, but it has answered the queries of the sample's report.
  await sample.getByText('Connected').waitFor()
  expect(await page.getByText('Not tested yet').count()).toBe(0)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add database' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add database' })
  await dialog.getByLabel('Name', { exact: true }).fill('sample SHOP')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add database' }).click()
  await dialog.getByRole('alert').getByText('Is taken; choose another').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Field work')
  // The list of databases is loaded late, so the page for a new query doesn't know this one at first.
  const isQueried = Promise.withResolvers<void>()
  await page.route('**/app/api/databases', async (route) => {
    if (route.request().method() === 'GET') await isQueried.promise
    await route.continue().catch(() => undefined)
  })
  await dialog.getByRole('button', { name: 'Add database' }).click()
  await page.getByRole('heading', { name: 'Field work', level: 1 }).waitFor()
  await expectAccessible(page)

  await dropFile(csv('Bird sightings 2026.csv', 'bird,times seen\nwren,3\nrobin,12\nheron,1\n'))
  const dropped = fileItem('Bird sightings 2026.csv')
  await expect.poll(() => dropped.getByLabel('Table name').inputValue()).toBe('bird_sightings_2026')
  await dropped.getByLabel('Table name').fill('birds')
  const places = gzipSync('{"place":"pond","depth":1.5}\n{"place":"hedge"}\n')
  await chooseFiles([csv('Birds.csv', 'x\n1\n'), { name: 'places.jsonl.gz', mimeType: 'application/gzip', buffer: places }])
  await expect.poll(() => fileItem('Birds.csv').getByLabel('Table name').inputValue()).toBe('birds_2')
  await fileItem('Birds.csv').getByLabel('Table name').fill('BIRDS')
  await fileItem('Birds.csv').getByText('Another file has this table name').waitFor()
  await fileItem('Birds.csv').getByRole('button', { name: /^Remove/ }).click()
  await expectAccessible(page)
  await importButton().click()
  await dropped.getByText('3 rows in the table birds').waitFor()
  await fileItem('places.jsonl.gz').getByText('2 rows in the table places').waitFor()
  const found = page.getByRole('list', { name: 'Columns found in places.jsonl.gz' }).getByRole('listitem')
  await expect.poll(() => found.allTextContents()).toEqual(['place varchar', 'depth double'])
  await expectAccessible(page)

  await tableButton(/birds/).click()
  await page.getByRole('grid', { name: 'First rows of birds' }).getByText('heron').waitFor()
  expect(new URL(page.url()).searchParams.get('table')).toBe('birds')
  await page.getByRole('list', { name: 'Columns of birds' }).getByText('varchar').waitFor()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectAccessible(page)

  await dropped.getByRole('link', { name: 'Query table' }).click()
  await page.waitForURL('**/queries/new**')
  isQueried.resolve()
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByRole('grid').getByText('robin').waitFor()

  // A click on a name inserts it, quoted where SQL needs it.
  await writeSql(page, 'select')
  const tables = page.getByRole('complementary', { name: 'Tables' })
  await tables.getByRole('button', { name: 'Columns of birds' }).click()
  await tables.getByRole('button', { name: /^times seen/ }).click()
  await page.keyboard.insertText(' from')
  await tables.getByRole('button', { name: 'birds', exact: true }).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('columnheader', { name: /^times seen/ }).waitFor()
  await expect.poll(() => page.locator('.cm-line').allTextContents()).toEqual(['select "times seen" from birds'])
})

journey('rejects an unreadable file, names the line, and keeps the input', async () => {
  await signIn(page, service)
  await page.goto(`/databases/${await addDatabase('Mistakes')}`)
  await chooseFiles([csv('orders.csv', 'a,b\n1,2\n3,4,5\n')])
  const item = fileItem('orders.csv')
  await item.getByLabel('Table name').fill('my orders')
  await item.getByText('Use letters, digits and underscores').waitFor()
  expect(await importButton().isDisabled()).toBe(true)
  await item.getByLabel('Table name').fill('my_orders')
  await item.getByLabel('Table name').press('Enter')
  await item.getByRole('alert').getByText('Line 3 of the file cannot be read').waitFor()
  await expect.poll(() => item.getByLabel('Table name').inputValue()).toBe('my_orders')
  const refusals = visitor.refusals.filter((refusal) => refusal.includes('/tables'))
  expect(refusals).toEqual([expect.stringMatching(/^422 POST/)])
  await expectAccessible(page)
  await item.getByRole('button', { name: /^Remove/ }).click()

  await chooseFiles([csv('book.xls', 'PK'), csv('my_orders.csv', 'a\n1\n')])
  await fileItem('book.xls').getByText('Save it as .xlsx').waitFor()
  await importButton().click()
  await fileItem('my_orders.csv').getByText('1 row in the table my_orders').waitFor()

  await chooseFiles([csv('MY_ORDERS.csv', 'a\n7\n8\n')])
  const again = fileItem('MY_ORDERS.csv')
  expect(await importButton().isDisabled()).toBe(true)
  await again.getByLabel(/Replace the table my_orders/).check()
  await importButton().click()
  await again.getByText('2 rows in the table my_orders').waitFor()
})

journey('previews a European CSV file, changes a type, updates the table by key, renames and deletes it', async () => {
  await signIn(page, service)
  await page.goto(`/databases/${await addDatabase('Umsatz')}`)
  const german = (text: string) => ({ name: 'umsatz.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') })
  await chooseFiles([german('Nr;Ort;Umsatz;Tag\n1;K\xf6ln;1.234,56;31.12.2026\n2;Bonn;n/a;1.1.2027\n')])
  const item = fileItem('umsatz.csv')
  const field = (name: string) => item.getByLabel(name, { exact: true })
  await item.getByRole('table', { name: 'First rows of umsatz.csv' }).getByText('Köln').waitFor()
  await expect.poll(() => field('Encoding').inputValue()).toBe('windows-1252')
  await expect.poll(() => field('Type of Tag').inputValue()).toBe('date')
  await expect.poll(() => field('Type of Umsatz').inputValue()).toBe('text')
  await field('Type of Umsatz').selectOption('Number')
  await item.getByText('Doesn’t fit: “1.234,56” in line 2').waitFor()
  const bothChosen = Promise.withResolvers<void>()
  await page.route('**/tables/preview?**', async (route) => {
    await bothChosen.promise
    await route.continue()
  })
  await field('Decimal sign').selectOption('Comma: 0,5')
  await field('Thousands separator').selectOption('Point: 1.000')
  bothChosen.resolve()
  await field('Type of Umsatz').selectOption('Number')
  await item.getByText('Doesn’t fit: “n/a” in line 3').waitFor()
  await expectAccessible(page)
  await importButton().click()
  await item.getByRole('alert').getByText('Line 3 of the file cannot be read: "n/a" in the column Umsatz is not a number').waitFor()
  await item.getByRole('button', { name: /^Remove/ }).click()

  await chooseFiles([german('Nr;Ort;Umsatz;Tag\n1;K\xf6ln;1.234,56;31.12.2026\n2;Bonn;7,5;1.1.2027\n')])
  await importButton().click()
  await item.getByText('2 rows in the table umsatz').waitFor()
  await item.getByRole('button', { name: /^Remove/ }).click()
  await chooseFiles([german('Nr;Ort;Umsatz;Tag\n2;Bonn;8,5;1.1.2027\n3;Trier;1,5;2.1.2027\n')])
  await item.getByLabel('Update the table umsatz').check()
  expect(await importButton().isDisabled()).toBe(true)
  await item.getByLabel('Nr', { exact: true }).check()
  await expectAccessible(page)
  await importButton().click()
  await item.getByText('3 rows in the table umsatz').waitFor()

  await tableButton(/umsatz/).click()
  await page.getByRole('grid', { name: 'First rows of umsatz' }).getByText('8.5').waitFor()
  await page.getByRole('button', { name: 'Actions for umsatz' }).click()
  await page.getByRole('menuitem', { name: 'Rename table' }).click()
  await page.getByRole('dialog').getByLabel('Table name').fill('sales')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename table' }).click()
  await page.getByRole('grid', { name: 'First rows of sales' }).waitFor()
  await page.getByRole('button', { name: 'Actions for sales' }).click()
  await page.getByRole('menuitem', { name: 'Delete table' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete table' }).click()
  await page.getByText('Deleted the table sales.', { exact: true }).waitFor()
  await tableButton(/sales/).waitFor({ state: 'detached' })
})

journey('shows the progress of an upload, which can be canceled and repeated', async () => {
  await signIn(page, service)
  const id = await addDatabase('Slow line')
  await page.goto(`/databases/${id}`)
  // 4 MB at 200 kB/s leaves enough time to cancel.
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
  await large.getByRole('progressbar', { name: 'Uploading large.csv' }).waitFor()
  await large.getByText(/^[1-9]\d?% of 4\.\d MB uploaded$/).waitFor()
  await fileItem('small.csv').getByText('Waiting for earlier files').waitFor()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Queries', exact: true }).first().click()
  const leaving = page.getByRole('alertdialog', { name: 'Uploads in progress' })
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await leaving.waitFor({ state: 'detached' })

  await fileItem('small.csv').getByRole('button', { name: 'Cancel' }).click()
  await large.getByRole('button', { name: 'Cancel' }).click()
  await large.getByLabel('Table name').waitFor()
  await importButton().waitFor()
  const tables = await page.request.get(`/app/api/databases/${id}/tables`)
  expect(await tables.json()).toEqual({ items: [] })

  await throttle(-1)
  await fileItem('small.csv').getByRole('button', { name: /^Remove/ }).click()
  await importButton().click()
  await large.getByText('130,000 rows in the table large').waitFor()
})

journey('imports a Parquet file, tests the connection, searches tables, renames and deletes the database', async () => {
  const file = path.join(folder, 'cities.parquet')
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`copy (select 'Köln' as city, 1080000 as people) to '${file}' (format parquet)`)
  connection.closeSync()
  instance.closeSync()

  await signIn(page, service)
  const id = await addDatabase('Passing')
  await page.goto(`/databases/${id}`)
  await chooseFiles([{ name: 'cities.parquet', mimeType: 'application/octet-stream', buffer: await readFile(file) }])
  await importButton().click()
  await fileItem('cities.parquet').getByText('1 row in the table cities').waitFor()

  await page.getByRole('button', { name: 'Test connection', exact: true }).click()
  await page.getByText(/^Connected to DuckDB v[\d.]+ in [\d.]+ m?s\.$/).waitFor()
  const search = page.getByLabel('Search tables and columns')
  await search.waitFor()
  await page.keyboard.press('/')
  await search.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('people')
  await page.getByRole('list', { name: 'Columns of cities' }).getByText('people').waitFor()
  await search.fill('nothing like it')
  await page.getByText('No results for “nothing like it”').waitFor()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Almost gone')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename database' }).click()
  await page.getByRole('heading', { name: 'Almost gone', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete database' }).click()
  await page.getByRole('heading', { name: 'Databases', level: 1 }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Sample shop' }).waitFor()
  expect(await page.getByRole('link', { name: 'Almost gone' }).count()).toBe(0)

  await page.getByRole('link', { name: 'Sample shop' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText(/saved queries use this database/).waitFor()
})

journey('uploads a DuckDB file as a database', async () => {
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
  await dialog.getByLabel('Upload a DuckDB file').check()
  const asked = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose file' }).click()
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

describe('a database on a server', () => {
  let warehouse: PostgresWithPassword

  beforeAll(async () => {
    warehouse = await startPostgresWithPassword()
    await warehouse.execute(`
      create table birds as select i as id, 'bird ' || i as name from generate_series(1, 30) as i;
      create schema large;
      do $$ begin for i in 1..1500 loop execute format('create table large.part_%s (n integer)', i); end loop; end $$`)
  })
  afterAll(() => warehouse?.stop())

  test('is connected with a form that marks the wrong field, and queried', async () => {
    await openAs(page, service, '/databases')
    await page.getByRole('button', { name: 'Add database' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add database' })
    const field = (name: string) => dialog.getByLabel(name, { exact: true })
    const add = dialog.getByRole('button', { name: 'Add database' })
    const tryOut = dialog.getByRole('button', { name: 'Test connection' })
    await field('Name').fill('Warehouse')
    await dialog.getByText('PostgreSQL').click()
    await field('Connection string').fill('mysql://localhost/shop')
    await field('Connection string').press('Tab')
    await dialog.getByText('This connection string is for MySQL or MariaDB').waitFor()
    expect(await tryOut.isDisabled()).toBe(true)
    const account = `${encodeURIComponent(warehouse.user)}:open%20barley`
    await field('Connection string').fill(`postgres://${account}@localhost:1/${warehouse.database}?sslmode=disable`)
    await field('Connection string').press('Tab')
    await dialog.getByText('Filled in the fields below').waitFor()
    await expect.poll(() => field('Connection string').inputValue()).toBe('')
    await expect.poll(() => field('Host').inputValue()).toBe('localhost')
    await expect.poll(() => field('Password').inputValue()).toBe('open barley')
    await dialog.getByText('Only on a network that you trust').waitFor()
    await expectAccessible(page)

    await tryOut.click()
    await dialog.getByRole('alert').getByText('refused the connection').waitFor()
    expect(await field('Port').getAttribute('aria-invalid')).toBe('true')
    await field('Port').fill(String(warehouse.place.port))
    await dialog.getByRole('alert').waitFor({ state: 'detached' })
    await add.click()
    await dialog.getByRole('alert').getByText('assword authentication failed').waitFor()
    expect(await field('Password').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await field('Password').fill(warehouse.password)
    await tryOut.click()
    await dialog.getByText(/^Connected to PostgreSQL \d[\d.]* in [\d.]+ m?s\. Found 1501 tables\.$/).waitFor()
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await add.click()

    await page.getByRole('heading', { name: 'Warehouse', level: 1 }).waitFor()
    await page.getByText(`${warehouse.database} at localhost:${warehouse.place.port}`).waitFor()
    expect(await page.getByRole('button', { name: 'Upload tables' }).count()).toBe(0)
    // The large schema starts closed.
    const large = page.getByRole('list', { name: 'Tables of large' })
    expect(await large.count()).toBe(0)
    await page.getByRole('button', { name: /^large/ }).click()
    await expect.poll(() => large.getByRole('listitem').count()).toBe(200)
    await page.getByRole('button', { name: 'Show 200 more of 1300' }).click()
    await expect.poll(() => large.getByRole('listitem').count()).toBe(400)
    await page.getByLabel('Search tables and columns').fill('part_1499')
    await large.getByRole('button', { name: /part_1499/ }).waitFor()
    await page.getByLabel('Search tables and columns').fill('')
    await page.getByRole('list', { name: 'Tables of public' }).getByRole('button', { name: /birds/ }).click()
    await page.getByRole('grid', { name: 'First rows of birds' }).getByText('bird 7').waitFor()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Query this table' }).click()
    await page.waitForURL('**/queries/new**')
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByRole('grid').getByText('bird 7').waitFor()
  })

  journey('needs its password again to move to another host, and is read-only for members', async () => {
    await signIn(page, service)
    const { place, user, password, database } = warehouse
    const settings = { ...place, user, database, tls: 'off' }
    const data = { name: 'Moving', engine: 'postgres', settings, password }
    const answer = await page.request.post('/app/api/databases', { data })
    expect(answer.status()).toBe(201)
    const { id } = (await answer.json()) as { id: string }
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`/databases/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit connection' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connection to Moving' })
    await expect.poll(() => dialog.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    await dialog.getByLabel('Host', { exact: true }).fill('localhost')
    await dialog.getByRole('button', { name: 'Save connection' }).click()
    await dialog.getByRole('alert').getByText(/Must be entered again: it would be sent to a new place, localhost/).waitFor()
    await expectNoSidewaysScrolling(page)
    await expectAccessible(page)
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Save connection' }).click()
    await page.getByText(`${database} at localhost:${place.port}`).waitFor()

    const other = await visit(browser, { baseURL: service.baseUrl })
    await joinAsMember(other.page, page, { name: 'Lou' })
    await other.page.goto(`/databases/${id}`)
    await other.page.getByRole('button', { name: /birds/ }).click()
    await other.page.getByRole('grid', { name: 'First rows of birds' }).waitFor()
    for (const name of ['Test connection', 'More actions']) {
      expect(await other.page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
    }
    const refused = await other.page.request.post('/app/api/databases/test', { data: { engine: 'postgres', settings } })
    expect(refused.status()).toBe(403)
    await other.leave()
  })
})

journey('shows what a query reads, and rejects one that reads more than allowed', async () => {
  const warehouse = await startScriptedBigquery()
  await openAs(page, service, '/settings/organization')
  const limits = page.getByRole('form', { name: 'Cost limits' })
  await limits.getByLabel('Per query (GB)').fill('lots')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await limits.getByText('Enter a number').waitFor()
  await limits.getByLabel('Per query (GB)').fill('2')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('Cost limits saved.', { exact: true }).waitFor()
  await expectAccessible(page)

  const settings = { host: '127.0.0.1', port: warehouse.port, database: 'acme', user: 'reader@acme.test', tls: 'off' }
  await page.request.post('/app/api/databases', { data: { name: 'Cloud', engine: 'bigquery', settings, password: null } })
  await page.goto('/queries/new')
  await page.getByLabel('Database').selectOption('Cloud')
  await writeSql(page, 'select 1200000000')
  await page.getByText('This query reads 1.2 GB.').waitFor()
  const started = page.waitForResponse((response) => response.url().endsWith('/runs') && response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByText('1 row', { exact: true }).waitFor()
  await writeSql(page, 'select 3000000000')
  const exceeded = 'This query reads 3 GB, more than the limit of 2 GB per query.'
  await page.getByText(exceeded).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByRole('alert').getByText(exceeded).waitFor()

  const { id } = (await (await started).json()) as { id: string }
  await page.goto(`/runs/${id}`)
  await page.getByText('1.2 GB', { exact: true }).waitFor()
  await warehouse.stop()
})

journey('lets a member upload a sheet of a workbook once an admin allows it', async () => {
  await openAs(page, service, '/settings/organization')
  const allowed = page.getByRole('switch', { name: 'Members can upload files' })
  await allowed.click()
  await expect.poll(() => allowed.getAttribute('aria-checked')).toBe('true')
  const other = await visit(browser, { baseURL: service.baseUrl, viewport: { width: 360, height: 740 } })
  await joinAsMember(other.page, page, { name: 'Uma' })
  await other.page.goto('/databases')
  await other.page.getByRole('button', { name: 'Upload a file' }).click()
  await other.page.getByRole('heading', { name: 'Uploads of Uma', level: 1 }).waitFor()
  await other.page.getByText('Up to 256 MiB each').waitFor()
  expect(await other.page.getByRole('button', { name: 'More actions' }).count()).toBe(0)

  const asked = other.page.waitForEvent('filechooser')
  await other.page.getByRole('button', { name: 'Choose files' }).click()
  await (await asked).setFiles(workbook)
  const item = other.page.getByRole('listitem', { name: 'orders.xlsx', exact: true })
  await item.getByLabel('Sheet').selectOption('Orders & returns')
  await item.getByRole('cell', { name: 'Müller & Söhne' }).waitFor()
  await expect.poll(() => item.getByLabel('Type of Day').inputValue()).toBe('date')
  await expectAccessible(other.page)
  await expectNoSidewaysScrolling(other.page)
  await other.page.getByRole('button', { name: 'Import file' }).click()
  await item.getByText('3 rows in the table orders').waitFor()
  await other.page.getByRole('list', { name: 'Tables of main' }).getByRole('button', { name: /orders/ }).click()
  await other.page.getByRole('grid', { name: 'First rows of orders' }).getByText('東京 <Store>').waitFor()
  await other.page.getByRole('button', { name: 'Actions for orders' }).waitFor()
  await other.leave()
})

journey('lets a member view databases, also on a phone, but not change them', async () => {
  await signIn(page, service)
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
  for (const name of ['Test connection', 'More actions', 'Upload tables', 'Choose files']) {
    expect(await other.page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
  }
  await expectNoSidewaysScrolling(other.page)
  await expectAccessible(other.page)
  const address = `/app/api/databases/${sample.id}/tables?name=x&format=csv`
  const refused = await other.page.request.post(address, { data: 'a\n1\n' })
  expect(refused.status()).toBe(403)
  await other.leave()

  await page.goto('/databases/db_0000000000000000000000')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})
