import path from 'node:path'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { openEmbedded } from '@querypost/server/store'

/** The state of the store at the end. */
export interface Outcome {
  automationCount: number
  /** Automations with exactly one run for that due time, which completed and has exactly one event. */
  onceCount: number
  runCount: number
  eventCount: number
  queryRunCount: number
  lastEndedMs: number
}

/** Reads the store after the service has stopped. */
export type ReadOutcome = (automationIds: string[], dueAt: Date) => Promise<Outcome>

export const fromServer =
  (url: string): ReadOutcome =>
  async (automationIds, dueAt) => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      const { rows } = await client.query<Outcome>(statement, [automationIds, dueAt])
      return rows[0]!
    } finally {
      await client.end()
    }
  }

export const fromFolder =
  (dataDirectory: string): ReadOutcome =>
  async (automationIds, dueAt) => {
    const store = await openEmbedded({ folder: path.join(dataDirectory, 'store') })
    try {
      const { rows } = await store.db.executeQuery<Outcome>(CompiledQuery.raw(statement, [automationIds, dueAt]))
      return rows[0]!
    } finally {
      await store.close()
    }
  }

const statement = `
  with asked as (select unnest($1::text[]) as id, $2::timestamptz as due_at),
  of_automation as (
    select asked.id, asked.due_at, count(run.id) as runs,
      count(*) filter (
        where run.status = 'completed' and run.due_at = asked.due_at and run.missed_count = 0) as completed,
      count(distinct event.id) as events, max(run.ended_at) as ended_at
    from asked
    left join agent_runs as run on run.automation_id = asked.id
    left join webhook_events as event
      on event.id = run.event_id and event.type = 'automation.run.completed'
        and event.body::jsonb -> 'data' ->> 'runId' = run.id
    group by asked.id, asked.due_at)
  select count(*)::integer as "automationCount",
    (count(*) filter (where runs = 1 and completed = 1 and events = 1))::integer as "onceCount",
    sum(runs)::integer as "runCount", sum(events)::integer as "eventCount",
    (select count(*)::integer from runs
     where trigger_id in (
       select run.id from agent_runs as run join asked on asked.id = run.automation_id)) as "queryRunCount",
    (extract(epoch from max(ended_at - due_at)) * 1000)::float8 as "lastEndedMs"
  from of_automation`
