import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { newId } from '@querypost/server/background-work'
import { secureRandom, systemClock } from '@querypost/server/ports'
import { insertNotification } from '@querypost/server/store'
import type { Received } from '@querypost/server/testing'
import type { World } from './world.ts'

/**
 * A continuous load of all kinds of work: query runs and automation runs over HTTP, automations that are due every minute, events, and
 * notifications by e-mail. A request that is refused or gets no response promises nothing; it is counted and repeated after a pause.
 */
export interface AllKinds {
  /** Acknowledged, so they must not be lost. */
  readonly runIds: Set<string>
  readonly agentRunIds: Set<string>
  readonly eventIds: Set<string>
  readonly notificationIds: Set<string>
  readonly scheduledIds: string[]
  /** How many requests and transactions were refused or got no response. */
  refusedCount(): number
  stop(): Promise<void>
}

const pauseMs = 250

interface Reference {
  shortId: string
  currentQuery: { id: string }
}

export async function startAllKinds(world: World): Promise<AllKinds> {
  const references = ((await world.api.api('GET', '/api/queries/refs')).body as { items: Reference[] }).items
  const { user, organization } = (await world.page('GET', '/app/api/session')).body as {
    user: { id: string }
    organization: { id: string }
  }
  const publisher = world.newPublisher()
  const runIds = new Set<string>()
  const agentRunIds = new Set<string>()
  const notificationIds = new Set<string>()
  let refused = 0
  let isStopped = false

  async function addAutomation(index: number, cron: string): Promise<string> {
    const { body } = await world.page('POST', '/app/api/automations', {
      name: `Automation ${index}`,
      instructions: 'Report what changed.',
      references: [references[index % references.length]!.shortId],
      schedule: { cron, timeZone: 'UTC' },
      enabled: true,
    })
    return (body as { id: string }).id
  }
  const scheduledIds = await Promise.all([0, 1, 2].map((index) => addAutomation(index, '* * * * *')))
  const manualIds = await Promise.all([3, 4].map((index) => addAutomation(index, '0 0 1 1 *')))

  let turn = 0
  async function refresh() {
    const { currentQuery } = references[turn++ % references.length]!
    const { status, body } = await world.api.api('POST', `/api/queries/${currentQuery.id}/refresh`)
    if (status === 202) runIds.add((body as { id: string }).id)
    else refused += 1
  }
  async function runAutomation() {
    for (const id of manualIds) {
      const { status, body } = await world.page('POST', `/app/api/automations/${id}/runs`)
      if (status === 202) agentRunIds.add((body as { id: string }).id)
      // 409 is expected while the previous run has not finished.
      else if (status !== 409) refused += 1
    }
  }
  const publish = () => publisher.publish({ count: 3 })
  async function notify() {
    const id = newId(secureRandom, 'ntf')
    const notification = { id, kind: 'run_failed', message: id, link: '/', createdAt: systemClock.now() } as const
    await world.store.db
      .transaction()
      .execute((tx) => insertNotification(tx, { ...notification, organizationId: organization.id, userId: user.id }))
    notificationIds.add(id)
  }

  async function repeatTask(act: () => Promise<void>) {
    while (!isStopped) {
      try {
        await act()
      } catch {
        refused += 1
      }
      await systemClock.sleep(pauseMs)
    }
  }
  const all = Promise.all([refresh, runAutomation, publish, notify].map(repeatTask))
  return {
    runIds,
    agentRunIds,
    eventIds: publisher.acknowledged,
    notificationIds,
    scheduledIds,
    refusedCount: () => refused,
    async stop() {
      isStopped = true
      await all
    },
  }
}

/** Ends the schedules. Returns the creation time and the first unhandled due time of each automation. */
export async function endSchedules({ store }: World): Promise<Map<string, { createdAt: Date; nextDueAt: Date }>> {
  const { rows } = await sql<{ id: string; createdAt: Date; nextDueAt: Date }>`
    update automations set next_due_at = null where next_due_at is not null
    returning id, created_at as "createdAt", old.next_due_at as "nextDueAt"`.execute(store.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The number of unfinished pieces of work. */
export async function countUnfinished({ store }: World): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from runs where status in ('pending', 'running'))
      + (select count(*) from agent_runs where status in ('pending', 'running'))
      + (select count(*) from webhook_deliveries where state = 'pending')
      + (select count(*) from notifications where email_state = 'due'))::integer as count`.execute(store.db)
  return rows[0]!.count
}

export interface DueRun {
  dueAt: Date
  missedCount: number
}

const minuteMs = 60_000
const minuteOf = (date: Date) => Math.floor(date.getTime() / minuteMs)

/**
 * Checks that the runs of an automation account for every minute: each run for its own due time and for those it reports as missed. The
 * first run covers the first minute after the automation was created, and each run continues where the previous one ended, up to the
 * next due time.
 */
export function checkDueTimes(
  runs: DueRun[],
  { createdAt, nextDueAt }: { createdAt: Date; nextDueAt: Date },
): { due: number; lost: number; doubled: number } {
  const sorted = runs.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
  const first = minuteOf(createdAt) + 1
  let expected = first
  let lost = 0
  let doubled = 0
  for (const { at, until } of [
    ...sorted.map(({ dueAt, missedCount }) => ({ at: minuteOf(dueAt), until: minuteOf(dueAt) + 1 + missedCount })),
    { at: minuteOf(nextDueAt), until: minuteOf(nextDueAt) },
  ]) {
    lost += Math.max(0, at - expected)
    doubled += Math.max(0, expected - at)
    expected = until
  }
  return { due: minuteOf(nextDueAt) - first, lost, doubled }
}

/** Verifies each request on arrival, since a signature expires after five minutes. */
export function makeVerifier() {
  let secret: string | undefined
  const forged: string[] = []
  return {
    forged,
    setSecret: (is: string) => (secret = is),
    verify({ body, headers }: Received) {
      try {
        new Webhook(secret!).verify(body, headers)
      } catch (error) {
        forged.push(`${headers['svc-webhook-id']}: ${String(error)}`)
      }
    },
  }
}
