import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { automationsUrl, createAutomation, runsOf } from '../../testing/http/automation-requests.ts'
import { type CollectedRoute, collectRoutes } from '../../testing/http/collect-routes.ts'
import { endOf, storeQuery, storeReference } from '../../testing/http/requests.ts'
import { createEndpoint, publish, statesOf } from '../../testing/http/webhook-requests.ts'
import { removeOrganization, rowsOfOrganization } from '../../testing/store/organization-tables.ts'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * Four organizations over two stores, behind one API. The *directory* is all that is above the stores: it knows the organization of an
 * API key and the store of an organization. Triggers note which organizations each transaction writes to.
 */
interface Directory {
  organizationOfKey: Map<string, string>
  storeOfOrganization: Map<string, number>
}

const directory: Directory = { organizationOfKey: new Map(), storeOfOrganization: new Map() }
const services: TestService[] = []
const organizations: TestOrganization[] = []
let routes: CollectedRoute[] = []

const idOf = ({ admin }: TestOrganization) => admin.caller.organizationId
const storeOfKey = (key: string) => directory.storeOfOrganization.get(directory.organizationOfKey.get(key)!)!
const serviceOf = (organization: TestOrganization) => services[storeOfKey(organization.admin.apiKey)]!

/** A request to the one API. */
const request = (key: string, url: string) =>
  services[storeOfKey(key)]!.app.inject({ url, headers: { authorization: `Bearer ${key}` } })

beforeAll(async () => {
  for (const number of [0, 1]) {
    // The triggers come first: creating them locks tables that workers use.
    const { built: service, routes: ofApp } = await collectRoutes(() =>
      startTestService('postgres', { seed: `store ${number}`, openStore: openNoting }),
    )
    routes = ofApp
    services.push(service)
    for (const letter of ['a', 'b']) {
      const organization = await service.addOrganization(`${letter}${number}`)
      directory.organizationOfKey.set(organization.admin.apiKey, idOf(organization))
      directory.storeOfOrganization.set(idOf(organization), number)
      organizations.push(organization)
    }
  }
})
afterAll(() => services[1]?.stop())

async function openNoting(options: { clock: Pick<Clock, 'now'> }): Promise<TestStore> {
  const store = await openTestStore('postgres', { ...options, isNew: true })
  await noteWrites(store)
  return store
}

const noteWrites = ({ db }: TestStore) => sql`
  do $$ declare each text; begin
    create table noted_writes (xid xid8, organization_id text, name text);
    create function note_write() returns trigger language plpgsql as '
      begin
        insert into public.noted_writes values (pg_current_xact_id(), new.organization_id, tg_argv[0]);
        return null;
      end';
    for each in select attrelid::regclass::text from pg_attribute join pg_class on pg_class.oid = attrelid
      where attname = 'organization_id' and relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname <> 'noted_writes' loop
      execute format('create trigger note_write after insert or update on %1$s for each row execute function note_write(%1$L)', each);
    end loop;
  end $$`.execute(db)

/** Everything that happens often. It ends before the next organization begins, so that no batch has work of two. */
async function useEverything(organization: TestOrganization): Promise<string> {
  const service = serviceOf(organization)
  const query = await storeQuery(organization, 'select sum(n) as total from numbers')
  const { shortId } = await storeReference(organization, query.id, { title: 'Total' })
  const run = await endOf(service, organization, organization.admin.api('POST', `/api/queries/${query.id}/refresh`))
  expect(run.status).toBe('completed')
  const automation = await createAutomation(organization, { references: [shortId] })
  expect((await organization.admin.page('POST', `${automationsUrl}/${automation.id}/runs`)).statusCode).toBe(202)
  await expect.poll(async () => (await runsOf(organization.admin, automation.id))[0]?.status).toBe('completed')
  const endpoint = await createEndpoint(organization)
  const { deliveryIds } = await publish(service, organization)
  await expect.poll(() => statesOf(service, endpoint.id)).toEqual({ [deliveryIds[0]!]: 'delivered' })
  return shortId
}

test('organizations on several stores work behind one API, and no transaction writes to two of them', async () => {
  const shortIds: string[] = []
  for (const organization of organizations) shortIds.push(await useEverything(organization))
  for (const [index, organization] of organizations.entries()) {
    const answers = await Promise.all(shortIds.map((shortId) => request(organization.admin.apiKey, `/api/references/${shortId}`)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(shortIds.map((_, other) => (other === index ? 200 : 404)))
  }
  for (const [number, { services: { db } }] of services.entries()) {
    const own = organizations.filter((organization) => directory.storeOfOrganization.get(idOf(organization)) === number).map(idOf)
    const written = await sql<{ id: string; names: string[] }>`
      select organization_id as id, array_agg(distinct name) as names from noted_writes group by 1`.execute(db)
    expect(written.rows.map(({ id }) => id).toSorted()).toEqual(own.toSorted())
    for (const { names } of written.rows) {
      expect(names).toEqual(expect.arrayContaining(['queries', 'runs', 'webhook_events', 'webhook_endpoints', 'audit_log']))
    }
    const shared = await sql`
      select array_agg(distinct name) as names from noted_writes group by xid having count(distinct organization_id) > 1`.execute(db)
    expect(shared.rows).toEqual([])
  }
})

/** The answers to every route that reads and takes no id, and to one that reads across organizations. */
async function readEverything(service: TestService, { admin }: TestOrganization): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const { method, url } of routes) {
    const isRead = method === 'GET' && /^\/(app\/)?api\//.test(url) && !/[:*]/.test(url) && !skippedReads.has(url)
    if (!isRead) continue
    const { statusCode, body } = await (url.startsWith('/app/') ? admin.page('GET', url) : admin.api('GET', url))
    answers.set(url, `${statusCode} ${body}`)
  }
  const { rows } = await sql`select count(*) from webhook_deliveries`.execute(service.services.db)
  answers.set(plantedRead, JSON.stringify(rows))
  return answers
}

const plantedRead = 'a count over all organizations'
/** Streams that don't end, and answers that change with each request because they report it. */
const skippedReads = new Set(['/api/events/stream', '/app/api/notifications/events', '/app/api/audit-log/export', '/app/api/audit-log/key-use'])
/** About the store as a whole. */
const readsOfStore = ['/app/api/storage']

/** Words of these rows that are ids of rows of the other organization. */
function findForeignIds(own: readonly string[], others: readonly string[]): string[] {
  const ids = new Set(others.map((text) => (JSON.parse(text) as { id?: unknown }).id).filter((id) => typeof id === 'string'))
  return own.flatMap((text) => text.match(/[\w-]{8,}/g) ?? []).filter((word) => ids.has(word))
}

test('no answer depends on another organization, and no row refers to one', async () => {
  const [, service] = services as [TestService, TestService]
  const [other, own] = organizations.slice(2) as [TestOrganization, TestOrganization]
  const { db } = service.services
  const [ownRows, otherRows] = [await rowsOfOrganization(db, idOf(own)), await rowsOfOrganization(db, idOf(other))]
  expect(findForeignIds(ownRows, otherRows)).toEqual([])
  const planted = JSON.stringify({ id: 'planted', note: otherRows.find((text) => text.includes('"id"')) })
  expect(findForeignIds([planted], otherRows)).not.toEqual([])

  const before = await readEverything(service, own)
  expect([...before.keys()]).toEqual(expect.arrayContaining(['/api/me', '/api/references', '/app/api/automations', '/app/api/webhook-endpoints']))
  await removeOrganization(db, idOf(other))
  expect(await rowsOfOrganization(db, idOf(other))).toEqual([])
  const after = await readEverything(service, own)
  expect([...before].filter(([url, answer]) => after.get(url) !== answer).map(([url]) => url)).toEqual([...readsOfStore, plantedRead])
  // Publishing, claiming, recording and running work without the other's rows, too.
  await useEverything(own)
})

test('organizations of the other store go on when one is gone', async () => {
  await services[0]!.stop()
  const organization = organizations.at(-1)!
  expect((await request(organization.admin.apiKey, '/api/me')).statusCode).toBe(200)
})
