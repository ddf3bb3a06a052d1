import {
  createAutomation,
  createEndpoint,
  endOf,
  setUpModel,
  startTestService,
  storeAnsweredChat,
  storeEvaluatedSet,
  storeQuery,
  storeReference,
  type TestOrganization,
  type TestService,
} from '@querypost/server/testing/suites'
import { pollPause } from '@querypost/server/testing'
import { sql } from 'kysely'

/** The service that examples run against, with the data they refer to: a query with a result, permalinks, an automation. */
export interface ExampleWorld {
  service: TestService
  /** The environment of an example, with a new reference, since it may delete it. Resolves when no run is in progress. */
  environment(): Promise<Record<string, string>>
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

  let folderCount = 0

  const owned = new Map<string, string>()
  /** Creates it again if an earlier example has deleted or changed it. */
  async function own(list: string, body: object): Promise<string> {
    const id = owned.get(list)
    const found = id === undefined ? undefined : await shop.admin.api('GET', `${list}/${id}`)
    if (found?.statusCode === 200 && (found.json<{ version?: number }>().version ?? 1) === 1) return id!
    const created = (await shop.admin.api('POST', list, body)).json<{ id: string }>()
    owned.set(list, created.id)
    return created.id
  }
  let metricCount = 0
  let evaluatedSetId: string | undefined
  let endpointId: string | undefined

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
    async environment() {
      await settle()
      // What the example creates is newer than what earlier ones did.
      await service.clock.advance(1)
      // Lists of queries begin with one that has run, not with those that earlier examples have stored.
      await sql`
        update queries set created_at = created_at - interval '1 year'
        where not exists (select from runs where runs.query_id = queries.id)`.execute(service.services.db)
      const { shortId } = await storeReference(shop, withParameter.id, content)
      // An organization has at most 100 sets. One that is being evaluated stays.
      if (evaluatedSetId !== undefined) await shop.admin.api('DELETE', `/api/question-sets/${evaluatedSetId}`)
      const evaluated = await storeEvaluatedSet(service, shop)
      evaluatedSetId = evaluated.questionSetId
      // An organization has at most 100 endpoints, too.
      if (endpointId !== undefined) await shop.admin.api('DELETE', `/api/webhook-endpoints/${endpointId}`)
      endpointId = await own('/api/webhook-endpoints', { url: 'https://hooks.example/a', eventTypes: ['automation.run.completed'] })
      folderCount += 1
      const folder = await shop.admin.api('POST', '/api/folders', { name: `Reports ${folderCount}` })
      const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
      const board = await shop.admin.api('POST', '/api/boards', { title: 'Revenue', tiles: [tile] })
      const manifest = { metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json', project_name: 'shop' }, nodes: {} }
      await shop.admin.api('POST', `/api/knowledge/dbt?databaseId=${shop.databaseId}`, { manifest })
      return {
        QUERYPOST_URL: baseUrl,
        QUERYPOST_API_KEY: shop.admin.apiKey,
        QUERY_ID: query.id,
        SHORT_ID: shortId,
        // A reference with a kept result, that of the query run.
        KEPT_SHORT_ID: watched,
        AUTOMATION_ID: automation.id,
        DATABASE_ID: shop.databaseId,
        RUN_ID: run.id,
        QUERY_RUN_ID: proof.figures[0]!.runId,
        CHAT: await storeAnsweredChat(service, shop),
        BOARD: board.json<{ shortId: string }>().shortId,
        // Nothing uses it.
        SAVED_SHORT_ID: (await storeReference(shop, query.id, { title: content.title, description: content.description })).shortId,
        OWN_AUTOMATION_ID: await own('/api/automations', { name: 'Report', instructions: 'Say what changed.', references: [watched] }),
        ENDPOINT_ID: endpointId,
        METRIC_ID: await own('/api/knowledge/metrics', {
          name: `Metric ${(metricCount += 1)}`,
          definition: { kind: 'sql', databaseId: shop.databaseId, sql: 'select 1' },
        }),
        FOLDER_ID: folder.json<{ id: string }>().id,
        QUESTION_SET_ID: evaluated.questionSetId,
        EVALUATION_ID: evaluated.evaluationId,
        EARLIER_EVALUATION_ID: evaluated.earlierEvaluationId,
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
