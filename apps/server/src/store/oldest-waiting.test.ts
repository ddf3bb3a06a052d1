import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createEndpoint, publish } from '../../testing/http/webhook-requests.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { storeKinds } from '../../testing/store/test-store.ts'
import { readOldestWaiting } from './oldest-waiting.ts'

const nothing = { runs: 0, agent_runs: 0, deliveries: 0, reports: 0, slack_questions: 0, change_feeds: 0 }

let service: TestService
afterEach(() => service.stop())

describe.each(storeKinds)('work waiting on %s', (kind) => {
  test('is reported as the time the oldest item of each kind has been due', async () => {
    service = await startTestService(kind, { worker: false })
    const { db } = service.services
    const acme = await service.addOrganization('acme')
    const read = () => readOldestWaiting(db, { now: service.clock.now() })
    expect(await read()).toEqual(nothing)

    const content = { sql: 'select 1', analyticalDatabaseConfigId: acme.databaseId }
    const query = (await acme.admin.page('POST', '/app/api/queries', content)).json<{ id: string }>()
    expect((await acme.admin.api('POST', `/api/queries/${query.id}/refresh`)).statusCode).toBe(202)
    service.clock.leap(5000)
    const endpoint = await createEndpoint(acme)
    await createEndpoint(acme, { url: 'https://other.example/' })
    await publish(service, acme)
    service.clock.leap(60_000)
    await publish(service, acme)
    expect(await read()).toEqual({ ...nothing, runs: 65, deliveries: 60 })

    const { organizationId, userId } = acme.admin.caller
    await sql`
      insert into channels (id, organization_id, kind, name, settings, created_by, created_at, updated_at)
      values ('channel_1', ${organizationId}, 'slack_bot', 'Shop', '{}', ${userId}, now(), now())`.execute(db)
    await sql`
      insert into slack_questions
        (id, organization_id, channel_id, event_id, slack_user_id, conversation, thread_ts, is_shared, question, next_attempt_at, received_at)
      values ('question_1', ${organizationId}, 'channel_1', 'e', 'u', 'c', '1', false, 'How many?', ${service.clock.now()}, now())`.execute(db)
    service.clock.leap(7000)
    expect((await read()).slack_questions).toBe(7)

    // Items due later do not count, nor do deliveries to a disabled endpoint, which wait for a person.
    await db
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: new Date('2027-01-01') })
      .where('endpoint_id', '=', endpoint.id)
      .execute()
    await db
      .updateTable('webhook_endpoints')
      .set({ state: 'disabled', disabled_at: service.clock.now(), disabled_reason: 'asked for' })
      .where('id', '<>', endpoint.id)
      .execute()
    expect((await read()).deliveries).toBe(0)
  })
})
