import {
  createAutomation,
  createEndpoint,
  endOf,
  setUpModel,
  startTestService,
  storeQuery,
  storeReference,
  type TestOrganization,
  type TestService,
} from '@querypost/server/testing/suites'
import { pollPause } from '@querypost/server/testing'
import { sql } from 'kysely'
import { makeExampleItems } from './example-items.ts'

/** The service that examples run against, with the data they refer to: a query with a result, permalinks, an automation. */
export interface ExampleWorld {
  service: TestService
  /** The environment in which this code runs. Resolves when no run is in progress. */
  environment(code: string): Promise<Record<string, string>>
  stop(): Promise<void>
}

const weeks = `select * from (values (date '2025-12-22', 1893, 84210.55), (date '2025-12-29', 2011, 91377.20))
as weeks (week, orders, revenue)`
const chart = {
  type: 'bar',
  jsxConfig: '<BarChart><XAxis dataKey="week" /><Bar dataKey="revenue" /></BarChart>',
  marginConfig: { top: 8, right: 8, bottom: 8, left: 8 },
}
const since = { name: 'since', displayName: 'Since', type: 'date', defaultValue: '2025-01-01', description: '' }
const content = {
  title: 'Revenue by week',
  description: 'Without canceled orders.',
  visualization: chart,
  parameters: [since],
}

export async function startExampleWorld(): Promise<ExampleWorld> {
  const service = await startTestService('postgres')
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const shop = await service.addOrganization('shop')
  const withParameter = await storeQuery(shop, `${weeks} where week >= {{since}}`)
  const { shortId: watched } = await storeReference(shop, withParameter.id, content)
  const query = await storeQuery(shop, weeks)
  await endOf(service, shop, shop.admin.api('POST', `/api/queries/${query.id}/refresh`))
  await createEndpoint(shop)
  const automation = await createAutomation(shop, { name: 'Weekly report', references: [watched] })
  const automationRuns = `/api/automations/${automation.id}/runs`
  await setUpModel(service, shop)
  const run = (await shop.admin.api('POST', automationRuns)).json<{ id: string }>()
  await automationRunEnded(shop, run.id)
  const proof = (await shop.admin.api('GET', `/api/automation-runs/${run.id}/proof`)).json<{ figures: { runId: string }[] }>()

  const kept = `/api/references/${watched}/results`
  while ((await shop.admin.api('GET', kept)).json<{ items: object[] }>().items.length === 0) await pollPause()

  await shop.admin.api('PATCH', `/api/references/${watched}`, { publishesChanges: true })
  await storeChange(service, watched)

  const items = makeExampleItems({ service, shop, queryId: query.id, queryWithParameterId: withParameter.id, watched, content })

  /** Waits for the runs of earlier examples. */
  async function settle(): Promise<void> {
    for (;;) {
      const { latestRun } = (await shop.admin.api('GET', `/api/queries/${query.id}`)).json()
      if (['completed', 'failed'].includes(latestRun.status)) break
      await pollPause()
    }
    const { latestRun } = (await shop.admin.page('GET', `/app/api/automations/${automation.id}`)).json()
    await automationRunEnded(shop, latestRun.id)
  }

  return {
    service,
    async environment(code) {
      await settle()
      // What the example creates is newer than what earlier ones did.
      await service.clock.advance(1)
      // Lists of queries begin with one that has run, not with those that earlier examples have stored.
      await sql`
        update queries set created_at = created_at - interval '1 year'
        where not exists (select from runs where runs.query_id = queries.id)`.execute(service.services.db)
      return {
        QUERYPOST_URL: baseUrl,
        QUERYPOST_API_KEY: shop.admin.apiKey,
        QUERY_ID: query.id,
        // A reference with a kept result, that of the query run.
        KEPT_SHORT_ID: watched,
        AUTOMATION_ID: automation.id,
        DATABASE_ID: shop.databaseId,
        RUN_ID: run.id,
        QUERY_RUN_ID: proof.figures[0]!.runId,
        ...(await items.forExample(code)),
      }
    },
    async stop() {
      await settle()
      await service.stop()
    },
  }
}

async function automationRunEnded({ admin }: TestOrganization, runId: string): Promise<void> {
  for (;;) {
    const { status } = (await admin.api('GET', `/api/automation-runs/${runId}`)).json<{ status: string }>()
    if (['completed', 'failed'].includes(status)) return
    await pollPause()
  }
}

/** A change of the feed, between a result and itself. */
async function storeChange({ services: { db } }: TestService, shortId: string): Promise<void> {
  await sql`
    with published as (
      update change_feeds set latest_number = 1
      where reference_id = (select id from query_references where short_id = ${shortId}) returning *)
    insert into reference_changes (reference_id, number, organization_id, at, from_run_id, to_run_id, from_result_hash, to_result_hash,
      key_columns, is_key_unique, is_replacement, added, removed, changed, recorded_at)
    select reference_id, 1, organization_id, updated_at, head_run_id, head_run_id, head_result_hash, head_result_hash, key_columns, true, false,
      0, 0, 0, updated_at
    from published`.execute(db)
}
