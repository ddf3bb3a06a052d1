import { checkProof, type Proof, type StoredResult } from '@querypost/answers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import { readObservations, replaceObservations } from '../../../store/agents/observations-table.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'

interface Run {
  id: string
  status: string
  summary: string | null
  chatShortId: string
  event: { type: string; data: { summary: string } } | null
}

describe.each(storeKinds)('an automation with the digest agent on %s', (kind) => {
  let service: TestService
  let organization: TestOrganization
  let admin: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind)
    organization = await service.addOrganization('shop')
    admin = organization.admin
  })
  afterAll(() => service.stop())

  async function made<Body extends { id: string }>(path: string, body: object): Promise<Body> {
    const response = await admin.page('POST', path, body)
    expect(response.statusCode, response.body).toBe(201)
    return response.json()
  }

  async function run(automationId: string): Promise<Run> {
    const requested = (await admin.page('POST', `/app/api/automations/${automationId}/runs`)).json<Run>()
    for (;;) {
      const seen = (await admin.page('GET', `/app/api/automation-runs/${requested.id}`)).json<Run>()
      if (seen.status === 'completed' || seen.status === 'failed') return seen
      await pollPause()
    }
  }

  /** Other values give other figures, as they would on another day. */
  async function setParameters(shortId: string, values: { factor: number; least: number }) {
    const parameters = Object.entries(values).map(([name, value]) => ({
      name,
      displayName: name,
      type: 'number',
      defaultValue: String(value),
      description: '',
    }))
    const response = await admin.page('PATCH', `/app/api/references/${shortId}`, { title: 'Sizes', parameters })
    expect(response.statusCode, response.body).toBe(200)
  }

  /** The last run's own result is still stored; that of the run before has expired, as is usual. */
  async function expectProven(runId: string) {
    const answer = await admin.api('GET', `/api/automation-runs/${runId}/proof`)
    expect(answer.statusCode, answer.body).toBe(200)
    const proof = answer.json<Proof>()
    const [own] = proof.figures
    expect(proof.text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')).toContain('**105** total amount, up 133.3% (+60)')
    expect(own).toMatchObject({ id: 'f1', text: '105', value: '105', expression: 'sum(amount)', parameters: { factor: 3, least: 5 } })
    expect(own!.sql).toContain('n >= 5')
    expect(proof.figures[1]).toMatchObject({
      text: 'up 133.3%',
      expression: expect.stringMatching(/^change\(sum\(amount\) of run_\w+, sum\(amount\)\)$/) as string,
      sources: [{ runId: expect.stringMatching(/^run_/) as string, parameters: { factor: 1, least: 0 } }],
    })
    const result = await admin.api('GET', `/api/runs/${own!.runId}/result`)
    expect(result.headers['etag']).toBe(`"${own!.resultHash}"`)
    const { fields, rows } = result.json<Pick<StoredResult, 'fields' | 'rows'>>()
    const stored: StoredResult = { runId: own!.runId, fields, rows, parameters: {}, title: null }
    const alone = { ...proof, figures: proof.figures.filter(({ sources }) => !sources) }
    expect(checkProof(alone, new Map([[stored.runId, stored]]))).toMatchObject({ isProven: true, figures: { length: 2 } })
    const before = proof.figures[1]!.sources![0]!.runId
    expect((await admin.api('GET', `/api/runs/${before}/result`)).json()).toMatchObject({ code: 'result_expired' })
  }

  test('says what contributed most to a change, by the kept result of the last run', async () => {
    const sql = `select case when n < 5 then 'small' else 'large' end as size, n, n * {{factor}} as amount from numbers where n >= {{least}}`
    const query = await made('/app/api/queries', { sql, analyticalDatabaseConfigId: organization.databaseId })
    const { shortId } = (await admin.api('POST', '/api/queries/refs', { queryId: query.id })).json<{ shortId: string }>()
    await setParameters(shortId, { factor: 1, least: 0 })
    const automation = await made('/app/api/automations', { name: 'Sizes', instructions: 'Look.', references: [shortId] })
    const observed = async () => [...(await readObservations(service.services.db, automation.id)).entries()][0]!
    await run(automation.id)
    const [referenceId, earlier] = await observed()
    await setParameters(shortId, { factor: 2, least: 3 })
    const { id: agentRunId, summary } = await run(automation.id)
    expect(summary).not.toContain('contributed')
    // As if the data had changed instead of the parameters.
    const content = { ...earlier, sqlHash: (await observed())[1].sqlHash }
    await service.services.db
      .transaction()
      .execute((tx) => replaceObservations(tx, { automationId: automation.id, agentRunId, observations: [{ referenceId, content }] }))
    service.clock.leap(2 * 86_400_000)
    const explained = await run(automation.id)
    expect(explained.summary).toContain('Sizes: 84 total amount across 7 rows, up 86.7% (+39) since the last run.\n- By size, large contributed most to the change in total amount: +35.\n')
  })

  describe.each(ruleKindsOf(kind))('rules on %s', () => {
    test('reports what changed since the last completed run, and ignores failed runs', async () => {
      const { databaseId } = organization
      const query = await made('/app/api/queries', {
        sql: `select
            case when n < 5 then 'small' else 'large' end as size,
            sum(case when {{factor}} = 0 then error('no figures today')::integer else n * {{factor}} end) as amount
          from numbers where n >= {{least}} group by size order by size`,
        analyticalDatabaseConfigId: databaseId,
      })
      const created = await admin.api('POST', '/api/queries/refs', { queryId: query.id })
      const { shortId } = created.json<{ shortId: string }>()
      await setParameters(shortId, { factor: 1, least: 0 })
      const automation = await made('/app/api/automations', { name: 'Daily', instructions: 'Look.', references: [shortId] })

      const first = await run(automation.id)
      expect(first).toMatchObject({ status: 'completed' })
      expect(first.summary).toBe(
        'Sizes: 45 total amount across 2 rows. First report. Comparisons start with the next run.\n' +
          '- Largest by amount: large (35, 77.8%), small (10, 22.2%).',
      )
      expect(first.event).toMatchObject({ type: 'automation.run.completed', data: { summary: first.summary } })

      service.clock.leap(86_400_000)
      expect((await run(automation.id)).summary).toBe('Sizes: 45 total amount across 2 rows. Nothing notable: same as the last run.')

      await setParameters(shortId, { factor: 3, least: 5 })
      service.clock.leap(86_400_000)
      const third = await run(automation.id)
      expect(third.summary).toBe(
        [
          'Sizes: 105 total amount, up 133.3% (+60) since the last run.',
          '- The query or its parameters changed since the last run, which may explain differences.',
          '- Amount up: large +70 (+200%).',
          '- Gone: small.',
          '- Rows: 1, −1 since the last run.',
        ].join('\n'),
      )
      await expectProven(third.id)
      const chat = (await admin.page('GET', `/app/api/chats/${third.chatShortId}`)).json<{ messages: { kind: string }[] }>()
      expect(chat.messages.map((message) => message.kind)).toEqual(['instruction', 'query_run', 'summary'])

      await setParameters(shortId, { factor: 0, least: 5 })
      service.clock.leap(86_400_000)
      const failed = await run(automation.id)
      expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('no figures today') as string })
      await setParameters(shortId, { factor: 3, least: 5 })
      service.clock.leap(86_400_000)
      expect((await run(automation.id)).summary).toContain('Nothing notable')
    })
  })
})
