import type pg from 'pg'
import { makeSealer, newId, newSecret } from '@querypost/server/background-work'
import { secureRandom as random } from '@querypost/server/ports'
import { secretKey } from '../api/service.ts'
import { eventContent } from './events.ts'

/** An endpoint with its own organization, so that publishing an event creates exactly one delivery. */
export interface BenchEndpoint {
  /** Also the last segment of its URL. */
  number: number
  id: string
  organizationId: string
  url: string
  secret: string
}

export async function addEndpoint(sql: pg.Pool, options: { number: number; url: string }): Promise<BenchEndpoint> {
  const { number, url } = options
  const organizationId = newId(random, 'org')
  const userId = newId(random, 'user')
  const id = newId(random, 'we')
  const secret = newSecret(random)
  const sealed = makeSealer({ secretKey: Buffer.from(secretKey), random }).seal(secret, id)
  await sql.query(`insert into organizations (id, name, created_at) values ($1, $1, now())`, [organizationId])
  await sql.query(`insert into users values ($1, $2, 'Bench', 'none', now())`, [userId, `${userId}@bench.test`])
  await sql.query(
    `insert into webhook_endpoints
       (id, organization_id, url, event_types, state, secret, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, 'enabled', $5, $6, now(), now())`,
    [id, organizationId, url, [eventContent.type], sealed, userId],
  )
  return { number, id, organizationId, url, secret }
}
