import pg from 'pg'
import { newId } from '@querypost/server/background-work'
import { secureRandom as random } from '@querypost/server/ports'
import { eventBody, eventContent } from './events.ts'

export type PublishTo = (endpoint: { id: string; organizationId: string }) => Promise<{ eventId: string }>

/** The ceiling of publishing: the driver alone inserts the same two rows in a transaction. It looks for no subscriber and wakes no worker. */
export function openBarePublishing(options: { databaseUrl: string; connectionsMax: number }): { publish: PublishTo; pool: pg.Pool } {
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: options.connectionsMax })
  const publish: PublishTo = async (endpoint) => {
    const client = await pool.connect()
    const eventId = newId(random, 'evt')
    await client.query('begin')
    await client.query({
      name: 'event',
      text: 'insert into webhook_events (id, organization_id, type, created_at, body) values ($1, $2, $3, now(), $4)',
      values: [eventId, endpoint.organizationId, eventContent.type, eventBody(eventId)],
    })
    await client.query({
      name: 'delivery',
      text: `insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at)
             values ($1, $2, $3, 'pending', false, now(), now())`,
      values: [newId(random, 'dlv'), eventId, endpoint.id],
    })
    await client.query('commit')
    client.release()
    return { eventId }
  }
  return { publish, pool }
}
