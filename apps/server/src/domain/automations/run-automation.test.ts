import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAutomation, storeReferenceTo } from '../../../testing/http/automation-requests.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'

let service: TestService
let shop: TestOrganization

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

/** Claims every agent run in the transaction that requests it, right before the commit: no worker could be faster. */
async function claimAtCommit(): Promise<void> {
  const { db } = service.services
  await sql`
    create function claim_at_commit() returns trigger language plpgsql as $$
    begin
      update agent_runs set status = 'running', started_at = now(), lease_owner = 'fast worker', lease_expires_at = now()
      where id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger claim_at_commit after insert on agent_runs
    deferrable initially deferred for each row execute function claim_at_commit()`.execute(db)
}

const stopClaiming = () => sql`drop function claim_at_commit cascade`.execute(service.services.db)

test('answers with the pending run even if a worker claims it immediately', async () => {
  const { id } = await createAutomation(shop, { references: [await storeReferenceTo(shop, 'select n from numbers')] })
  await claimAtCommit()
  try {
    const answer = await shop.admin.api('POST', `/api/automations/${id}/runs`)
    expect(answer.json()).toMatchObject({ status: 'pending', startedAt: null })
  } finally {
    await stopClaiming()
  }
})
