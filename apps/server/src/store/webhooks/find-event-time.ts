import type { Db } from '../db.ts'

/** When an event was published, by its own id or that of its agent run; undefined if there is none. */
export async function findEventTime(
  db: Db,
  key: { organizationId: string } & ({ eventId: string } | { runId: string }),
): Promise<{ eventId: string; createdAt: Date } | undefined> {
  const events = db
    .selectFrom('webhook_events')
    .select(['webhook_events.id as eventId', 'webhook_events.created_at as createdAt'])
    .where('webhook_events.organization_id', '=', key.organizationId)
  const one =
    'eventId' in key
      ? events.where('webhook_events.id', '=', key.eventId)
      : events
          .innerJoin('agent_runs', 'agent_runs.event_id', 'webhook_events.id')
          .where('agent_runs.id', '=', key.runId)
          .where('agent_runs.organization_id', '=', key.organizationId)
  return one.executeTakeFirst()
}
