import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chooseKnowledge, findKnowledge, updateCatalog } from '@querypost/server/knowledge'
import { systemClock } from '@querypost/server/ports'
import { type Db, migrate, openEmbedded, openPostgres, type Store } from '@querypost/server/store'
import { silentLog, startPostgresServer } from '@querypost/server/testing'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs, quantile } from '../statistics.ts'

/** Measures the catalog of a warehouse with 5,000 tables of 20 columns: writing it, and finding what a question needs. */
export const benchKnowledge = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const tableCount = 5_000
const columnCount = 20
const budget = 24_000
const rounds = 50

const nouns = 'order invoice customer product payment refund shipment parcel campaign visit session ticket supplier contract'.split(' ')
const areas = 'sales finance marketing support logistics crm web app staging archive'.split(' ')
const facts = 'amount status country currency created_at updated_at channel quantity price discount owner region note'.split(' ')

const questions = [
  'What was the refund amount by country last week?',
  'Which supplier contracts end next month?',
  'How many support tickets did each region have?',
  'Compare campaign visits with last year',
  'amount status date by id',
]

type Tables = Parameters<typeof updateCatalog>[2]

function makeTables(): Tables {
  return Array.from({ length: tableCount }, (_, index) => {
    const noun = nouns[index % nouns.length]!
    const columns = Array.from({ length: columnCount }, (_each, at) => ({
      name: at === 0 ? `${noun}_id` : `${facts[(index + at) % facts.length]}${at > facts.length ? `_${at}` : ''}`,
      type: 'text',
      nullable: true,
      comment: at % 4 === 0 ? `The ${facts[(index + at) % facts.length]} of the ${noun}, as ${areas[at % areas.length]} reports it` : null,
    }))
    const schema = areas[index % areas.length]!
    const comment = index % 3 === 0 ? `One row per ${noun} of ${schema}` : null
    return { schema, name: `${noun}_${areas[(index * 7) % areas.length]}_${index}`, kind: 'table', columns, rowEstimate: index * 100, comment }
  })
}

interface World {
  close(): Promise<void>
}

const measure = (kind: 'embedded' | 'postgres') => async (): Promise<Measurement[]> => {
  const { store, close } = await openStore(kind)
  try {
    const database = await addDatabase(store.db)
    const tables = makeTables()
    const update = (given: Tables) => elapsedMs(() => updateCatalog(store, database, given, new Map()))
    const firstMs = await update(tables)
    const againMs = await update(tables)
    const timesMs: number[] = []
    let characters = 0
    for (let round = 0; round < rounds; round++) {
      const text = questions[round % questions.length]!
      timesMs.push(
        await elapsedMs(async () => {
          const found = await findKnowledge(store, { organizationId: database.organizationId, text, count: 12 })
          const { trusted, untrusted } = chooseKnowledge(found, budget)
          characters = Math.max(characters, [...trusted, ...untrusted].join('').length)
        }),
      )
    }
    const medianMs = quantile(timesMs, 0.5)
    const what = `${tableCount.toLocaleString('en-US')} tables × ${columnCount} columns, ${kind}`
    return [
      { what: `${what}: first copy of the schema`, unit: 'ms', ours: firstMs },
      { what: `${what}: copy again, unchanged`, unit: 'ms', ours: againMs },
      {
        what: `${what}: choose the knowledge for a question, median`,
        unit: 'ms',
        ours: medianMs,
        goal: boundGoal({ value: medianMs, below: 100, unit: 'ms' }),
        note: `at most ${characters.toLocaleString('en-US')} characters`,
      },
      { what: `${what}: choose the knowledge for a question, 95th percentile`, unit: 'ms', ours: quantile(timesMs, 0.95) },
    ]
  } finally {
    await close()
  }
}

async function openStore(kind: 'embedded' | 'postgres'): Promise<{ store: Store; close(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-'))
  const server = kind === 'postgres' ? await startPostgresServer({ durable: true }) : undefined
  const store = server
    ? await openPostgres({ url: server.url, clock: systemClock, log: silentLog })
    : await openEmbedded({ folder: path.join(folder, 'store') })
  await migrate({ db: store.db, clock: systemClock })
  return {
    store,
    async close() {
      await store.close()
      await server?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function addDatabase(db: Db): Promise<{ organizationId: string; id: string }> {
  const created_at = systemClock.now()
  const [organizationId, userId, id] = ['org_bench', 'user_bench', 'db_bench']
  await db.insertInto('organizations').values({ id: organizationId, name: 'Bench', created_at }).execute()
  await db.insertInto('users').values({ id: userId, email: 'bench@querypost.test', name: 'Bench', password_hash: null, created_at }).execute()
  await db
    .insertInto('analytical_database_configs')
    .values({ id, organization_id: organizationId, name: 'Warehouse', engine: 'duckdb', settings: '{}', created_by: userId, created_at })
    .execute()
  return { organizationId, id }
}

const benchmark = {
  name: 'knowledge',
  title: 'Knowledge of a large warehouse',
  limitMinutes: 10,
  makeWorld: async (): Promise<World> => ({ close: async () => {} }),
  parts: { embedded: measure('embedded'), postgres: measure('postgres') },
}
