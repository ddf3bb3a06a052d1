import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { databaseFolder } from '../../../domain/databases/engines.ts'
import { importTable } from '../../../domain/databases/import-table.ts'
import { makeWorkbook } from '../../../../testing/engines/make-workbook.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { endOf, storeQuery } from '../../../../testing/http/requests.ts'

let service: TestService
let shop: TestOrganization
let address: string
let cookie: string
let outside: string

beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
  outside = await mkdtemp(path.join(tmpdir(), 'querypost-'))
  // Uploads are streamed from a socket, so these tests use a real one.
  address = await service.app.listen({ host: '127.0.0.1', port: 0 })
  cookie = Object.entries(shop.admin.session).map((pair) => pair.join('=')).join('; ')
})
afterAll(async () => {
  await service.stop()
  await rm(outside, { recursive: true, force: true })
})

const { signal: never } = new AbortController()
const folder = () => {
  const { dataDirectory } = service.services
  return databaseFolder({ dataDirectory, organizationId: shop.admin.caller.organizationId })
}
/** Checks that nothing is left of an upload, however it ended. The service hears of an aborted one a moment later. */
afterEach(async () => {
  async function checkFolders() {
    const files = [...(await readdir(folder())), ...(await readdir(path.join(service.services.dataDirectory, 'temporary')))]
    const left = files.filter((file) => /part|upload|import|wal/.test(file))
    if (left.length > 0) throw new Error(`Left behind: ${left.join(', ')}`)
  }
  await vi.waitFor(checkFolders, { timeout: 60_000 })
})

const tablesAddress = (databaseId = shop.databaseId) => `/app/api/databases/${databaseId}/tables`

async function send(search: string, body?: string | Uint8Array<ArrayBuffer>, databaseId?: string) {
  const response = await fetch(`${address}${tablesAddress(databaseId)}${search}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/octet-stream' },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function rowsOf(sql: string): Promise<unknown[][]> {
  const query = await storeQuery(shop, sql)
  await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${query.id}/runs`, {}))
  return (await shop.admin.api('GET', `/api/queries/${query.id}/result`)).json().rows as unknown[][]
}

async function makeParquet(sql: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = path.join(outside, 'made.parquet')
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`copy (${sql}) to '${file}' (format parquet)`)
  connection.closeSync()
  instance.closeSync()
  return new Uint8Array(await readFile(file))
}

test('a CSV file becomes a table that open engines see, and earlier results are kept', async () => {
  const before = await storeQuery(shop, 'select count(*) as tables from duckdb_tables()')
  const run = () => endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${before.id}/runs`, {}))
  const first = await run()
  const answer = await send('?name=cities&format=csv', 'city,people\nKöln,1080000\n"Paris, TX",25000\n')
  expect(answer).toEqual({
    status: 201,
    body: {
      schema: 'main',
      name: 'cities',
      kind: 'table',
      columns: [
        { name: 'city', type: 'VARCHAR', nullable: true, comment: null },
        { name: 'people', type: 'BIGINT', nullable: true, comment: null },
      ],
      rowEstimate: 2,
      comment: null,
      rowCount: 2,
    },
  })
  expect((await shop.admin.page('GET', `/app/api/databases/${shop.databaseId}`)).json()).toMatchObject({ tableCount: 2 })
  expect(await rowsOf('select city from cities order by people')).toEqual([['Paris, TX'], ['Köln']])
  const result = (id: string) => shop.admin.page('GET', `/app/api/runs/${id}/result`)
  expect((await result(first.id)).json().rows).toEqual([[1]])
  expect((await result((await run()).id)).json().rows).toEqual([[2]])
  expect((await result(first.id)).json().rows).toEqual([[1]])
})

test('a Parquet file becomes a table, and can replace one', async () => {
  const bytes = await makeParquet('select 1 as one, 2.5::decimal(4, 1) as half')
  expect(await send('?name=figures&format=parquet', bytes)).toMatchObject({ status: 201, body: { rowCount: 1 } })
  const again = await send('?name=Figures&format=parquet', bytes)
  expect(again).toMatchObject({ status: 409, body: { code: 'table_exists', details: [{ path: 'name' }] } })
  const replaced = await send('?name=figures&format=csv&ifExists=replace', 'a\n1\n2\n3\n')
  expect(replaced).toMatchObject({ status: 201, body: { rowCount: 3, columns: [{ name: 'a' }] } })
  expect(await rowsOf('select sum(a)::integer from figures')).toEqual([[6]])
})

test('JSON lines, compressed or not, and an array of objects become a table', async () => {
  const lines = '{"city":"Köln","people":1080000}\n{"city":"Bonn","area":141.1}\n'
  const columns = [
    { name: 'city', type: 'VARCHAR', nullable: true, comment: null },
    { name: 'people', type: 'BIGINT', nullable: true, comment: null },
    { name: 'area', type: 'DOUBLE', nullable: true, comment: null },
  ]
  expect(await send('?name=lines&format=jsonl', lines)).toMatchObject({ status: 201, body: { columns, rowCount: 2 } })
  const packed = new Uint8Array(gzipSync(lines))
  expect(await send('?name=packed&format=jsonl', packed)).toMatchObject({ status: 201, body: { columns, rowCount: 2 } })
  const array = await send('?name=lines&format=json&ifExists=replace', '[{"a":1}]')
  expect(array).toMatchObject({ status: 201, body: { columns: [{ name: 'a' }], rowCount: 1 } })
})

test('a running query finishes on the file it started with', async () => {
  await send('?name=growing&format=csv', 'a\n1\n')
  const engine = service.services.engines.engineOf({
    id: shop.databaseId,
    organizationId: shop.admin.caller.organizationId,
    engine: 'duckdb',
    settings: { file: 'numbers.duckdb' },
    revision: 1,
  })
  const sql = 'select a from growing, range(3000000)'
  const running = await engine.run({ sql, signal: never })
  expect(await send('?name=growing&format=csv&ifExists=replace', 'a\n2\n')).toMatchObject({ status: 201 })
  let rowCount = 0
  for await (const batch of running.batches) {
    expect(Buffer.from(batch.json).includes('[2]')).toBe(false)
    rowCount += batch.rowCount
  }
  expect(rowCount).toBe(3_000_000)
  expect(await rowsOf('select a from growing')).toEqual([[2]])
})

test('concurrent imports into one database run one after the other', async () => {
  const names = ['one', 'two', 'three']
  const answers = await Promise.all(names.map((name) => send(`?name=${name}&format=csv`, `${name}\n1\n`)))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const tables = (await shop.admin.page('GET', tablesAddress())).json<{ items: { name: string }[] }>().items
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

const german =
  '?name=t&format=csv&encoding=windows-1252&delimiter=;&hasHeader=true&decimalSign=,&thousandsSeparator=.&dateOrder=dmy'

test('a preview tells how a file is read, and the import reads it so', async () => {
  const file = new Uint8Array(Buffer.from('Ort;Umsatz;Tag\nK\xf6ln;1.234,56;31.12.2026\nBonn;2;1.1.2027\n', 'latin1'))
  const preview = await send('/preview?format=csv&isWhole=true', file)
  const reading = {
    encoding: 'windows-1252',
    delimiter: ';',
    hasHeader: true,
    decimalSign: ',',
    thousandsSeparator: '.',
    dateOrder: 'dmy',
    types: ['text', 'number', 'date'],
  }
  const columns = ['Ort', 'Umsatz', 'Tag'].map((name) => ({ name, misfit: null }))
  const rows = [['Köln', '1.234,56', '31.12.2026'], ['Bonn', '2', '1.1.2027']]
  expect(preview).toEqual({ status: 200, body: { reading, columns, rows, sheets: [] } })
  const changed = await send('/preview?format=csv&isWhole=true&types=text,integer,text', file)
  expect(changed.body).toMatchObject({ columns: [{}, { misfit: { line: 2, value: '1.234,56' } }, {}] })
  const packed = new Uint8Array(gzipSync(file).subarray(0, -9))
  expect((await send('/preview?format=csv&isWhole=false', packed)).body).toMatchObject({ reading: { delimiter: ';' }, columns: [{ name: 'Ort' }, {}, {}] })

  const query = german.replace('name=t', 'name=umsatz')
  expect(await send(`${query}&types=text,number,date`, file)).toMatchObject({ status: 201, body: { rowCount: 2 } })
  expect(await rowsOf(`select "Ort", "Umsatz", "Tag" from umsatz order by 2 desc`)).toEqual([
    ['Köln', 1234.56, '2026-12-31'],
    ['Bonn', 2, '2027-01-01'],
  ])
})

test.each([
  ['an empty file', '', 'file_unreadable', /empty/],
  ['a workbook', 'PK\u0003\u0004', 'file_unreadable', /workbook/],
  ['an unknown encoding', 'a', 'invalid_request', /encoding/],
])('a preview rejects %s', async (name, body, code, message) => {
  const search = name === 'an unknown encoding' ? '&encoding=ebcdic' : ''
  const answer = await send(`/preview?format=csv&isWhole=true${search}`, body)
  expect(answer.body).toMatchObject({ code, message: expect.stringMatching(message) })
})

test('a sheet of a workbook is previewed and imported', async () => {
  const cells = (...values: (string | number)[]) =>
    values.map((value) => (typeof value === 'string' ? `<c t="inlineStr"><is><t>${value}</t></is></c>` : `<c><v>${value}</v></c>`)).join('')
  const sales = `<row r="1">${cells('city', 'sales')}</row><row r="3">${cells('Köln', 1.5)}</row><row r="4">${cells('Bonn', 'none')}</row>`
  const book = new Uint8Array(await makeWorkbook({ sheets: { Notes: `<row r="1">${cells('a')}</row>`, Sales: sales } }))
  expect((await send('/preview?format=xlsx', book)).body).toMatchObject({ sheets: ['Notes', 'Sales'], columns: [{ name: 'a' }] })
  const { body } = await send('/preview?format=xlsx&sheet=Sales&hasHeader=true', book)
  expect(body).toMatchObject({ reading: { types: ['text', 'text'] }, rows: [['Köln', '1.5'], ['Bonn', 'none']] })
  const given = '&encoding=utf-8&delimiter=,&hasHeader=true&decimalSign=.&thousandsSeparator=&dateOrder=ymd'
  const refused = await send(`?name=sheet&format=xlsx&sheet=Sales${given}&types=text,number`, book)
  expect(refused.body).toMatchObject({
    code: 'file_unreadable',
    message: 'Row 4 of the sheet cannot be read: "none" in the column sales is not a number. Correct it, or import the column as text.',
  })
  expect((await send('?name=sheet&format=xlsx&sheet=Sales', book)).body).toMatchObject({ rowCount: 2, columns: [{ name: 'city' }, { type: 'VARCHAR' }] })
  expect((await send('/preview?format=xlsx&sheet=Other', book)).body).toMatchObject({ code: 'file_unreadable' })
})

test('rows are appended, replaced by key, and tables renamed and deleted', async () => {
  await send('?name=stock&format=csv', 'id,pieces\n1,5\n2,6\n')
  expect((await send('?name=stock&format=csv&ifExists=append', 'id,pieces\n3,7\n')).body).toMatchObject({ rowCount: 3 })
  const upsert = await send('?name=stock&format=csv&ifExists=upsert&keys=id', 'id,pieces\n3,8\n4,9\n')
  expect(upsert.body).toMatchObject({ rowCount: 4 })
  expect(await rowsOf('select pieces from stock order by id')).toEqual([[5], [6], [8], [9]])

  const change = (method: 'PATCH' | 'DELETE', table: string, body?: object) =>
    shop.admin.page(method, `${tablesAddress()}/main/${table}`, body)
  expect((await change('PATCH', 'stock', { name: 'numbers' })).json()).toMatchObject({ code: 'table_exists' })
  expect((await change('PATCH', 'stock', { name: 'a b' })).json()).toMatchObject({ code: 'invalid_request' })
  expect((await change('PATCH', 'stock', { name: 'shelf' })).statusCode).toBe(204)
  expect(await rowsOf('select count(*)::integer from shelf')).toEqual([[4]])
  expect((await change('DELETE', 'stock')).json()).toMatchObject({ code: 'table_not_found' })
  expect((await change('DELETE', 'shelf')).statusCode).toBe(204)
  const tables = (await shop.admin.page('GET', tablesAddress())).json<{ items: { name: string }[] }>().items
  expect(tables.map(({ name }) => name)).not.toContain('shelf')
})

describe('rejected without any change:', () => {
  const state = async () => [
    (await shop.admin.page('GET', tablesAddress())).json(),
    await readdir(folder()),
    (await readFile(path.join(folder(), 'numbers.duckdb'))).toString('base64'),
  ]
  test.each([
    ['a line that is too long', '?name=t&format=csv', 'a,b\n1,2\n3,4,5\n', 422, 'file_unreadable', /Line 3 /],
    ['a file that is not Parquet', '?name=t&format=parquet', 'a,b\n1,2\n', 422, 'file_unreadable', /Parquet/],
    ['an empty file', '?name=t&format=csv', '', 422, 'file_unreadable', /empty/],
    ['a table that exists', '?name=numbers&format=csv', 'a\n1\n', 409, 'table_exists', /numbers/],
    ['a path for a name', '?name=../../t&format=csv', 'a\n1\n', 400, 'invalid_request', /letters, digits/],
    ['a quote in the name', `?name=${encodeURIComponent('t"')}&format=csv`, 'a\n1\n', 400, 'invalid_request', /letters/],
    ['SQL for a name', '?name=t;drop%20table%20numbers&format=csv', 'a\n1\n', 400, 'invalid_request', /letters/],
    ['no name', '?format=csv', 'a\n1\n', 400, 'invalid_request', /name/],
    ['a line that is not JSON', '?name=t&format=jsonl', '{"a":1}\n{"a":}\n', 422, 'file_unreadable', /Line 2 /],
    ['an empty array', '?name=t&format=json', '[]', 422, 'file_unreadable', /no JSON object/],
    ['another format', '?name=t&format=ods', '[]', 400, 'invalid_request', /format/],
    ['an unknown ifExists', '?name=t&format=csv&ifExists=merge', 'a\n1\n', 400, 'invalid_request', /ifExists/],
    ['an upsert without keys', '?name=t&format=csv&ifExists=upsert', 'a\n1\n', 400, 'invalid_request', /keys must name/],
    ['a sheet of a CSV file', '?name=t&format=csv&sheet=One', 'a\n1\n', 400, 'invalid_request', /only for workbooks/],
    ['keys without an upsert', '?name=t&format=csv&keys=a', 'a\n1\n', 400, 'invalid_request', /keys is only for/],
    ['some choices of a preview', '?name=t&format=csv&types=text', 'a\n1\n', 400, 'invalid_request', /encoding is required/],
    ['an unknown type', `${german}&types=money`, 'a\n1\n', 400, 'invalid_request', /types/],
    ['a type per column of JSON', `${german.replace('csv', 'json')}&types=text`, '[]', 400, 'invalid_request', /only for CSV/],
    ['equal separators', `${german}&types=text`.replace('Separator=.', 'Separator=,'), 'a\n1\n', 400, 'invalid_request', /differ/],
    ['a value that does not fit', `${german}&types=date`, 'a\n31.02.2026\n', 422, 'file_unreadable', /Line 2 .*31\.02\.2026/],
    ['rows for other columns', '?name=numbers&format=csv&ifExists=append', 'a\n1\n', 422, 'file_mismatch', /has no column/],
  ])('%s', async (_, search, body, status, code, message) => {
    const before = await state()
    const answer = await send(search, body)
    expect(answer).toMatchObject({ status, body: { code, message: expect.stringMatching(message) } })
    expect(await state()).toEqual(before)
  })

  test('a form instead of the file', async () => {
    const form = new FormData()
    form.set('file', new Blob(['a\n1\n']))
    const init = { method: 'POST', headers: { cookie }, body: form }
    const response = await fetch(`${address}${tablesAddress()}?name=t&format=csv`, init)
    expect(await response.json()).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('itself') })
  })

  test('an import while another program writes to the database', async () => {
    const log = path.join(folder(), 'numbers.duckdb.wal')
    await writeFile(log, '')
    try {
      const answer = await send('?name=t&format=csv&ifExists=replace', 'a\n1\n')
      expect(answer).toMatchObject({ status: 409, body: { code: 'database_in_use' } })
    } finally {
      await rm(log)
    }
  })

  test('a file that is too large: as declared, as received, or as unpacked', async () => {
    const { services } = service
    const deps = { ...services, importLimits: { ...services.importLimits, uploadMaxBytes: 1000, fileMb: 1 } }
    const input = { configId: shop.databaseId, table: 't', ifExists: 'refuse', signal: never } as const
    const many = Readable.from(Array.from({ length: 101 }, () => Buffer.alloc(10, 'a')))
    const caller = shop.admin.caller
    await expect(importTable(deps, caller, { ...input, format: 'csv', bytes: many })).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringContaining('1000 bytes'),
    })
    const file = path.join(outside, 'bomb.parquet')
    await writeFile(file, await makeParquet(`select md5(i::varchar) as filler from range(200000) t (i)`))
    const bytes = createReadStream(file)
    const roomy = { ...deps, importLimits: { ...deps.importLimits, uploadMaxBytes: 1e9 } }
    await expect(importTable(roomy, caller, { ...input, format: 'parquet', bytes })).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringContaining('1 MiB'),
    })
    const status = await new Promise((resolve, reject) => {
      const headers = { cookie, 'content-length': 5 * 1024 ** 3 }
      const claiming = httpRequest(`${address}${tablesAddress()}?name=t&format=csv`, { method: 'POST', headers }, (answer) => {
        resolve(answer.statusCode)
        claiming.destroy()
      })
      claiming.on('error', reject)
      claiming.write('a\n')
    })
    expect(status).toBe(413)
  })
})

test('a SQLite file is a database of its own, which takes no imports', async () => {
  const file = path.join(outside, 'tracker.sqlite')
  const made = new DatabaseSync(file)
  made.exec('create table events (id integer); insert into events values (9007199254740993)')
  made.close()
  const upload = (query: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(`${address}/app/api/databases/upload?${query}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/octet-stream' },
      body,
    })
  const bytes = new Uint8Array(await readFile(file))
  const added = await upload('name=Tracker&engine=sqlite', bytes)
  expect(added.status).toBe(201)
  const { id, engine, tableCount, settings } = (await added.json()) as Record<string, unknown> & { id: string }
  expect({ engine, tableCount }).toEqual({ engine: 'sqlite', tableCount: 1 })
  expect((settings as { file: string }).file).toMatch(/^db_\w+\.sqlite$/)
  const refused = await send('?name=more&format=csv', 'a\n1\n', id)
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain('read-only')
  // A file of another kind is not accepted, and a SQLite database does not start empty.
  expect((await upload('name=Wrong&engine=duckdb', bytes)).status).toBe(400)
  expect((await shop.admin.page('POST', '/app/api/databases', { name: 'Empty', engine: 'sqlite' })).statusCode).toBe(400)
  expect((await upload('name=Unknown&engine=postgres', bytes)).status).toBe(400)
})

test('an aborted upload leaves nothing behind', async () => {
  const temporary = path.join(service.services.dataDirectory, 'temporary')
  const uploads = async () => (await readdir(temporary)).filter((file) => file.startsWith('upload'))
  const headers = { cookie, 'content-length': 1_000_000 }
  const sending = httpRequest(`${address}${tablesAddress()}?name=broken&format=csv`, { method: 'POST', headers })
  sending.on('error', () => {})
  sending.write('a,b\n'.repeat(1000))
  await expect.poll(uploads).toHaveLength(1)
  sending.destroy()
  await expect.poll(uploads).toEqual([])
  const tables = (await shop.admin.page('GET', tablesAddress())).json<{ items: { name: string }[] }>().items
  expect(tables.map(({ name }) => name)).not.toContain('broken')
})

test('a file is not imported if the client disconnects', async () => {
  const gone = new AbortController()
  const bytes = Readable.from(
    (async function* () {
      yield Buffer.from('a\n1\n')
      gone.abort()
    })(),
  )
  const input = { configId: shop.databaseId, table: 'unwanted', format: 'csv', ifExists: 'refuse' } as const
  const importing = importTable(service.services, shop.admin.caller, { ...input, bytes, signal: gone.signal })
  await expect(importing).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('canceled') })
})

test('a file that the operator replaces during an import is kept', async () => {
  const file = path.join(folder(), 'numbers.duckdb')
  const bytes = Readable.from([Buffer.from('a\n1\n')])
  const { services } = service
  async function replaceFile() {
    const copy = path.join(outside, 'numbers.duckdb')
    await writeFile(copy, await readFile(file))
    await rename(copy, file)
  }
  // The import's only transaction is the one in which the copy would replace the file.
  const db = new Proxy(services.db, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (key !== 'transaction') return typeof value === 'function' ? (value.bind(target) as unknown) : value
      return () => ({
        execute: async (work: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) => {
          await replaceFile()
          return target.transaction().execute(work)
        },
      })
    },
  })
  const input = { configId: shop.databaseId, table: 'late', format: 'csv', ifExists: 'refuse', signal: never } as const
  await expect(importTable({ ...services, db }, shop.admin.caller, { ...input, bytes })).rejects.toMatchObject({
    code: 'database_in_use',
  })
})
