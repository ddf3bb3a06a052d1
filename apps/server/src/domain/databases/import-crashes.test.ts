import { readdir, rename, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeEmptyDatabase } from '../../engines/duckdb/empty-database.ts'
import { readPendingImports } from '../../store/databases/pending-imports-table.ts'
import type { Db } from '../../store/db.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { newId } from '../ids.ts'
import { storeDatabase } from './add-database.ts'
import { describeDatabase } from './databases.ts'
import { databaseFolder } from './engines.ts'
import { importTable } from './import-table.ts'
import { settleImports } from './pending-imports.ts'

/** Imports that fail or die at each step: the file and the store agree, at once or after the next start. */
let service: TestService
let shop: TestOrganization
beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

const folder = () => databaseFolder({ ...service.services, organizationId: shop.admin.caller.organizationId })
/** Like `addDatabase`, but without processes that create the file and open it to check it. */
const addEmpty = async (name: string) => {
  const { services } = service
  const { organizationId, userId } = shop.admin.caller
  const id = newId(services.random, 'db')
  const file = `${id}.duckdb`
  await makeEmptyDatabase(path.join(folder(), file))
  const created = { createdBy: userId, createdAt: services.clock.now() }
  await storeDatabase(services, shop.admin.caller, { id, organizationId, name, engine: 'duckdb', settings: { file }, ...created })
  return { id, file }
}

function importInto(configId: string, db: Db, table = 'sales') {
  const upload = { bytes: Readable.from([Buffer.from('n\n1\n2\n')]), signal: new AbortController().signal }
  const input = { configId, table, format: 'csv', ifExists: 'refuse', ...upload } as const
  return importTable({ ...service.services, db }, shop.admin.caller, input)
}

const tablesOf = async (id: string) =>
  (await describeDatabase(service.services, shop.admin.caller, id)).map(({ name }) => name)
const leftovers = async () => (await readdir(folder())).filter((name) => !name.endsWith('.duckdb'))
const recordCount = async () => {
  const { items } = (await shop.admin.page('GET', '/app/api/audit-log?limit=100')).json<{ items: { action: string }[] }>()
  return items.filter(({ action }) => action === 'database.table_imported').length
}

/** A store whose connection is lost around a commit. */
function losing(options: { isCommitted: boolean; isGoneAfterwards: boolean }): Db {
  const { db } = service.services
  let isLost = false
  return new Proxy(db, {
    get(target, name) {
      if (isLost && options.isGoneAfterwards) throw new Error('the store is gone')
      const value: unknown = Reflect.get(target, name)
      if (name !== 'transaction') return typeof value === 'function' ? (value.bind(target) as unknown) : value
      return () => ({
        async execute(work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) {
          await db.transaction().execute(async (tx) => {
            await work(tx)
            isLost = true
            if (!options.isCommitted) throw new Error('the connection was lost')
          })
          throw new Error('the connection was lost')
        },
      })
    },
  })
}

test('a failed commit changes nothing and leaves nothing behind', async () => {
  const { id } = await addEmpty('Failed commit')
  const before = await recordCount()
  await expect(importInto(id, losing({ isCommitted: false, isGoneAfterwards: false }))).rejects.toThrow('was lost')
  expect(await tablesOf(id)).toEqual([])
  expect(await recordCount()).toBe(before)
  expect(await leftovers()).toEqual([])
})

test('a commit whose response was lost counts', async () => {
  const { id } = await addEmpty('Lost answer')
  const before = await recordCount()
  await importInto(id, losing({ isCommitted: true, isGoneAfterwards: false }))
  expect(await tablesOf(id)).toEqual(['sales'])
  expect(await recordCount()).toBe(before + 1)
  expect(await leftovers()).toEqual([])
  expect(await readPendingImports(service.services.db)).toEqual([])
})

test('an import that died after its commit is settled at the next start', async () => {
  const { id } = await addEmpty('Died after the commit')
  await expect(importInto(id, losing({ isCommitted: true, isGoneAfterwards: true }))).rejects.toThrow('was lost')
  expect(await tablesOf(id)).toEqual([])
  expect(await readPendingImports(service.services.db)).toHaveLength(1)
  for (let start = 0; start < 2; start++) await settleImports(service.services)
  expect(await tablesOf(id)).toEqual(['sales'])
  expect(await leftovers()).toEqual([])
  expect(await readPendingImports(service.services.db)).toEqual([])
})

test('an import that died before its commit leaves a file that a later start removes', async () => {
  const { id } = await addEmpty('Died before the commit')
  await expect(importInto(id, losing({ isCommitted: false, isGoneAfterwards: true }))).rejects.toThrow('was lost')
  const [left] = await leftovers()
  expect(left).toMatch(/\.import$/)
  await settleImports(service.services)
  expect(await leftovers()).toEqual([left])
  const longAgo = new Date(service.clock.now().getTime() - 25 * 3600_000)
  await utimes(path.join(folder(), left!), longAgo, longAgo)
  await settleImports(service.services)
  expect(await leftovers()).toEqual([])
  expect(await tablesOf(id)).toEqual([])
})

test('another import settles the previous one, and is rejected because the database has changed', async () => {
  const { id } = await addEmpty('Two processes')
  await expect(importInto(id, losing({ isCommitted: true, isGoneAfterwards: true }))).rejects.toThrow('was lost')
  await expect(importInto(id, service.services.db, 'costs')).rejects.toMatchObject({ code: 'database_in_use' })
  expect(await tablesOf(id)).toEqual(['sales'])
  await importInto(id, service.services.db, 'costs')
  expect(await tablesOf(id)).toEqual(['costs', 'sales'])
  expect(await leftovers()).toEqual([])
})

test('does not overwrite a file that the operator has replaced since', async () => {
  const { id, file } = await addEmpty('Replaced')
  const other = await addEmpty('Other')
  await importInto(other.id, service.services.db, 'by_the_operator')
  await expect(importInto(id, losing({ isCommitted: true, isGoneAfterwards: true }))).rejects.toThrow('was lost')
  await rename(path.join(folder(), other.file), path.join(folder(), file))
  await settleImports(service.services)
  expect(await tablesOf(id)).toEqual(['by_the_operator'])
  expect(await leftovers()).toEqual([])
  expect(await readPendingImports(service.services.db)).toEqual([])
})

test('statements running on the previous file finish on it', async () => {
  const { id, file } = await addEmpty('In flight')
  await importInto(id, service.services.db, 'first')
  const { ino } = await stat(path.join(folder(), file))
  const database = { id, organizationId: shop.admin.caller.organizationId, engine: 'duckdb', settings: { file }, revision: 1 } as const
  const sql = 'select r.range as n, (select count(*) from first) as c from range(300000) r'
  const { batches } = await service.services.engines.engineOf(database).run({ sql, signal: new AbortController().signal })
  const iterator = batches[Symbol.asyncIterator]()
  let rowCount = (await iterator.next()).value!.rowCount
  await importInto(id, service.services.db, 'second')
  expect((await stat(path.join(folder(), file))).ino).not.toBe(ino)
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) rowCount += next.value.rowCount
  expect(rowCount).toBe(300_000)
  expect(await tablesOf(id)).toEqual(['first', 'second'])
})

test('keeps files with other names', async () => {
  await writeFile(path.join(folder(), 'notes.txt'), 'mine')
  await settleImports(service.services)
  expect(await leftovers()).toEqual(['notes.txt'])
})
