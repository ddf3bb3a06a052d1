import { sql } from 'kysely'
import { claimDeliveries, claimRun, lockDueAutomations, readDueWatchers, sweep } from '@querypost/server/background-statements'
import { publishEvent } from '@querypost/server/background-work'
import { newId } from './list-routes.ts'
import type { Probe } from './probe-lists.ts'
import type { Site } from './site.ts'

const claimOptions = {
  workerId: 'worker_bench',
  leaseMs: 30_000,
  count: 100,
  afterLane: '',
  rooms: new Map<string, number>(),
  roomOfOthers: 32,
  unfinished: [],
  goneWorkers: [],
  dueFrom: new Date(0),
}

type Tx = Parameters<typeof publishEvent>[0]['tx']

/** Does work in a transaction that is rolled back, so that it finds the same rows each time. */
const undone = (what: string, act: (tx: Tx, site: Site) => Promise<unknown>): Probe => ({
  what,
  async act(site) {
    const undo = new Error('Undo')
    await site.services.backgroundDb
      .transaction()
      .execute(async (tx) => {
        await act(tx, site)
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
  },
})

function publish({ services }: Site, tx: Tx) {
  return publishEvent(
    { tx, clock: services.clock, random: services.random },
    {
      organizationId: newId('org', 1),
      content: {
        type: 'automation.run.completed',
        data: {
          automationId: newId('automation', 1),
          automationName: 'Every morning',
          runId: newId('arun', 1),
          chatUrl: 'http://localhost:3000/chats/k7Rm2QwXn4',
          summary: 'Revenue rose.',
          imageUrl: null,
        },
      },
    },
  )
}

const sweepAll = ({ services }: Site) => sweep({ ...services, db: services.backgroundDb })

/** Statements of the workers. */
export const workProbes: Probe[] = [
  undone('publish an event', (tx, site) => publish(site, tx)),
  undone('publish an event and claim its deliveries', async (tx, site) => {
    await publish(site, tx)
    const { deliveries } = await claimDeliveries(tx, claimOptions)
    if (deliveries.length === 0) throw new Error('Nothing was claimed.')
  }),
  { what: 'look for due deliveries', act: ({ services }) => claimDeliveries(services.backgroundDb, claimOptions) },
  undone('claim a run', async (tx) => {
    await sql`
      insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql, run_at)
      select 'run_bench', organization_id, stored_query_id, 1000000000, 'pending', created_by, '{}', '{}', 'select 1', statement_timestamp()
      from query_references where id = ${newId('ref', 1)}`.execute(tx)
    const { run } = await claimRun(tx, { workerId: 'worker_bench', leaseMs: 30_000, fullDatabaseConfigIds: [] })
    if (!run) throw new Error('No run was claimed.')
  }),
  undone('find due automations', (tx) => lockDueAutomations(tx, { count: 20, exceptIds: [] })),
  {
    what: 'find due watchers',
    act: ({ services }) => readDueWatchers(services.backgroundDb, { after: { dueAt: new Date(0), id: '' }, count: 100 }),
  },
  { what: 'sweep of all kinds that finds nothing', act: sweepAll },
]

/** Sweeps that check every row do so once a day. The first sweep begins to; then they are marked as done, so that the others are measured. */
export async function finishWalks(site: Site): Promise<void> {
  await sweepAll(site)
  await sql`update sweep_walks set after_id = null, finished_at = statement_timestamp()`.execute(site.store.db)
}
