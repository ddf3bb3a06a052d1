import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NameError } from '../../ports/network/network.ts'
import { openPostgres, type StoreServer } from '../../store/db.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { makeSurroundings } from './surroundings.ts'

const noNames = { resolve: (name: string) => Promise.reject(new NameError(`${name} is unknown`, true)) }
const readOwnAddresses = () => ['127.0.0.1', '10.0.0.7']

describe.each(storeKinds)('on %s', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openTestStore(kind)
  })
  afterAll(() => store.close())

  const addOrganization = (id: string) =>
    sql`insert into organizations (id, name, created_at) values (${id}, ${id}, '2026-01-05')`.execute(store.db)

  test('rereads the number of organizations after a while, not for every connection', async () => {
    const clock = manualClock()
    let statementCount = 0
    const counted = store.db.withPlugin({
      transformQuery: ({ node }) => {
        statementCount++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const read = makeSurroundings({ db: counted, server: store.server, names: noNames, clock, readOwnAddresses })
    await addOrganization('org_1')
    const burst = await Promise.all(Array.from({ length: 50 }, read))
    expect(burst.every(({ hasSeveralOrganizations }) => !hasSeveralOrganizations)).toBe(true)
    await addOrganization('org_2')
    await addOrganization('org_3')
    expect(await read()).toBe(burst[0])
    expect(statementCount).toBe(1)
    clock.leap(5000)
    expect(await read()).toMatchObject({ hasSeveralOrganizations: true, ownAddresses: ['127.0.0.1', '10.0.0.7'] })
    expect(statementCount).toBe(2)
  })

  test('identifies a store on a server by its identity and address', async () => {
    // Test stores are reached through a Unix socket.
    const { server, close } = store.url ? await openPostgres({ url: store.url, clock: manualClock(), log: silentLog }) : { server: undefined, close: undefined }
    const read = makeSurroundings({ db: store.db, server, names: noNames, clock: manualClock(), readOwnAddresses })
    const digits = expect.stringMatching(/^\d+$/)
    const onServer = {
      storeServer: { port: Number(new URL(store.url ?? 'http://none').port), addresses: ['127.0.0.1'], isOnThisMachine: false },
      store: { systemIdentifier: store.systemIdentifier, databaseOid: digits, markerOid: digits },
    }
    expect(server?.addresses()).toEqual(kind === 'postgres' ? ['127.0.0.1'] : undefined)
    expect(await read()).toMatchObject(kind === 'postgres' ? onServer : { storeServer: null, store: null })
    await close?.()
  })
})

describe('the store’s server', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openTestStore('pglite')
  })
  afterAll(() => store.close())

  const serverOf = async (server: StoreServer, names: { resolve(name: string): Promise<string[]> } = noNames) =>
    (await makeSurroundings({ db: store.db, server, names, clock: manualClock(), readOwnAddresses })()).storeServer
  const at = (host: string, dialed: string[] = []): StoreServer => ({ host, port: 5432, addresses: () => dialed })

  test('is at all addresses of its name and at those that were dialed', async () => {
    const names = { resolve: async () => ['10.0.0.5', '10.0.0.6'] }
    expect(await serverOf(at('db.internal', ['10.0.0.5', '10.0.0.4']), names)).toEqual({
      port: 5432, addresses: ['10.0.0.5', '10.0.0.6', '10.0.0.4'], isOnThisMachine: false,
    })
  })

  test('is at the dialed addresses if only the system can resolve its name', async () => {
    expect(await serverOf(at('db', ['10.0.0.5']))).toMatchObject({ addresses: ['10.0.0.5'] })
  })

  test('is on this machine if it is reached through a Unix socket', async () => {
    expect(await serverOf(at('/var/run/postgresql'))).toEqual({ port: 5432, addresses: [], isOnThisMachine: true })
  })

  test('is looked up again, since its address may change', async () => {
    const clock = manualClock()
    const answers = [['10.0.0.5'], ['10.0.0.9']]
    const names = { resolve: async () => answers.shift()! }
    const read = makeSurroundings({ db: store.db, server: at('db.internal'), names, clock, readOwnAddresses })
    expect((await read()).storeServer?.addresses).toEqual(['10.0.0.5'])
    clock.leap(5000)
    expect((await read()).storeServer?.addresses).toEqual(['10.0.0.9'])
  })
})

test('uses the last known facts while the store is unavailable, and fails before there are any', async () => {
  const store = await openTestStore('pglite')
  const clock = manualClock()
  const deps = { server: undefined, names: noNames, clock, readOwnAddresses }
  const read = makeSurroundings({ ...deps, db: store.db })
  const first = await read()
  await store.close()
  clock.leap(5000)
  expect(await read()).toBe(first)
  await expect(makeSurroundings({ ...deps, db: store.db })()).rejects.toThrow('closed')
})
