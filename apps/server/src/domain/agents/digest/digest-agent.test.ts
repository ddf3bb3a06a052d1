import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import type { MessageContent } from '../../../model/chat.ts'
import type { ParameterDefinition } from '../../../model/parameter.ts'
import { storeQuery } from '../../queries/queries.ts'
import { createReference, deleteReference, editReference } from '../../references/references.ts'
import { AgentFailure, type AgentTask } from '../../agent-runs/agent.ts'
import { makeDigestAgent } from './digest-agent.ts'

let service: TestService
let organization: TestOrganization

beforeAll(async () => {
  service = await startTestService('postgres')
  organization = await service.addOrganization('shop')
})
afterAll(() => service.stop())

async function reference(title: string, sql: string, parameters: ParameterDefinition[] = []): Promise<string> {
  const { caller } = organization.admin
  const query = await storeQuery(service.services, caller, { sql, analyticalDatabaseConfigId: organization.databaseId })
  return (await createReference(service.services, caller, { queryId: query.id, title, parameters })).shortId
}

/** Runs the agent on the references. `messages` is the chat's content, `history` every change to it. */
function digest(references: string[], options: Partial<AgentTask> = {}) {
  const messages: MessageContent[] = []
  const history: MessageContent[] = []
  const task: AgentTask = {
    runId: 'arun_test',
    automationId: 'automation_test',
    chatId: 'chat_test',
    trigger: 'person',
    instructions: '',
    references,
    requestedAt: service.clock.now(),
    caller: { ...organization.admin.caller, triggerId: 'arun_test' },
    chat: {
      async add(content) {
        history.push(content)
        return messages.push(content)
      },
      async change(number, content) {
        history.push(content)
        messages[number - 1] = content
      },
    },
    signal: new AbortController().signal,
    ...options,
  }
  return { messages, history, answer: makeDigestAgent(service.services)(task) }
}

const number: ParameterDefinition = { name: 'm', displayName: 'M', type: 'number', defaultValue: '', description: '' }

test('keeps the settings of the reference’s columns in the step', async () => {
  const [plain, formatted] = [await reference('Plain', 'select 1 as amount'), await reference('Formatted', 'select 1 as amount')]
  const columns = [{ name: 'amount', format: { style: 'currency', currency: 'EUR' } as const }]
  const visualization = { type: 'table', jsxConfig: '', marginConfig: { top: 0, right: 0, bottom: 0, left: 0 }, columns } as const
  await editReference(service.services, organization.admin.caller, formatted, { visualization })
  const { messages, answer } = digest([plain, formatted])
  await answer
  expect(messages.map((step) => step.kind === 'query_run' && step.columns)).toEqual([undefined, columns])
})

test('reports each reference as a step with its run, parameters and first rows, and as a paragraph of the summary', async () => {
  const all = await reference('All *numbers*', `select 'n' || n as name, n * {{m}} as amount from numbers order by n`, [
    { ...number, defaultValue: '2' },
  ])
  const few = await reference('How many', 'select count(*) as numbers from numbers')
  const { messages, history, answer } = digest([all, few])
  const { summary, observations } = await answer
  expect(messages).toMatchObject([
    {
      kind: 'query_run',
      reference: { shortId: all, title: 'All *numbers*' },
      parameterValues: { m: 2 },
      status: 'completed',
      rowCount: 10,
      preview: { fields: [{ name: 'name', type: 'string' }, { name: 'amount' }], rows: { length: 10 } },
      failureReason: null,
    },
    { kind: 'query_run', status: 'completed', rowCount: 1, preview: { rows: [[10]] } },
  ])
  const each = ['pending', 'running', 'completed']
  expect(history.map((step) => 'status' in step && step.status)).toEqual([...each, ...each])
  const runIds = messages.map((step) => (step.kind === 'query_run' ? step.runId : null))
  expect(summary).toBe(
    [
      `**All \\*numbers\\*:** [**90**](https://querypost.test/runs/${runIds[0]}) total amount across 10 rows.`,
      `- Largest by amount: [n9 (18, 20%)](https://querypost.test/runs/${runIds[0]}), n8 (16, 17.8%), n7 (14, 15.6%).`,
      '',
      `**How many:** [**10**](https://querypost.test/runs/${runIds[1]}) numbers.`,
      '',
      'First report. Comparisons start with the next run.',
    ].join('\n'),
  )
  expect(observations!.map(({ content }) => content.runId)).toEqual(runIds)
  const runs = await service.services.db.selectFrom('runs').select(['id', 'trigger_id']).where('id', 'in', runIds).execute()
  expect(runs.map((run) => run.trigger_id)).toEqual(['arun_test', 'arun_test'])
})

test('reports a failed reference with its reason, along with the others', async () => {
  const good = await reference('Good', 'select 1 as n')
  const broken = await reference('Broken', 'select no_such_column from numbers')
  const unsaid = await reference('Unsaid', 'select {{m}} as n', [number])
  const { messages, answer } = digest([broken, good, unsaid])
  const { summary, observations } = await answer
  expect(messages).toMatchObject([
    { status: 'failed', failureReason: expect.stringContaining('no_such_column') as string, runId: expect.stringMatching(/^run_/) as string },
    { status: 'completed' },
    { status: 'failed', failureReason: expect.stringContaining('"m"') as string, runId: null },
  ])
  const paragraphs = summary.split('\n\n')
  expect(paragraphs[0]).toMatch(/^\*\*Broken:\*\* \[\*\*failed\*\*\]\(https:\/\/querypost.test\/runs\/run_\w+\)\. .*no\\_such\\_column/)
  expect(paragraphs[1]).toContain('**Good:** [**1**]')
  expect(paragraphs[2]).toMatch(/^\*\*Unsaid:\*\* \*\*failed\*\*\. .*m/)
  expect(observations).toHaveLength(1)
})

test('fails with all the reasons when every reference fails', async () => {
  const broken = await reference('Broken', 'select no_such_column from numbers')
  const failing = digest([broken, await reference('Unsaid', 'select {{m}} as n', [number])]).answer
  await expect(failing).rejects.toThrow(AgentFailure)
  await expect(failing).rejects.toThrow(/All queries failed\. Broken: .*no_such_column.* Unsaid: /s)
})

test('fails without references, and says what to do', async () => {
  await expect(digest([]).answer).rejects.toThrow('Edit it and choose at least one.')
})

test('treats a reference deleted during the run as failed', async () => {
  const gone = await reference('Gone', 'select 1 as n')
  await deleteReference(service.services, organization.admin.caller, gone)
  const { answer, messages } = digest([gone, await reference('Good', 'select 1 as n')])
  expect((await answer).summary).toContain('may have been deleted')
  expect(messages[0]).toMatchObject({ status: 'failed', reference: { shortId: gone, title: gone } })
})

test('ends when the signal aborts', async () => {
  const slow = await reference('Slow', 'select count(*) as n from range(100000000000) where range % 7 = 3')
  const stopping = new AbortController()
  const { answer, history } = digest([slow], { signal: stopping.signal })
  answer.catch(() => {})
  while (history.length < 2) await new Promise((resolve) => setImmediate(resolve))
  stopping.abort(new Error('enough'))
  await expect(answer).rejects.toThrow('enough')
  const step = history[1]!
  const run = await service.ended(organization.admin.caller, step.kind === 'query_run' ? step.runId! : '')
  expect(run).toMatchObject({ status: 'failed', failureReason: expect.stringMatching(/^Stopped/) as string })
})
