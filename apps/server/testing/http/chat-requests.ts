import { requestAutomationRun } from '../../src/domain/agent-runs/request-automation-run.ts'
import { endAgentRun, type Ending } from '../../src/domain/agent-runs/end-agent-run.ts'
import type { ChatWriter } from '../../src/domain/agent-runs/chat-writer.ts'
import { makeChatWriter } from '../../src/domain/chats/make-chat-writer.ts'
import { newId, newShortId } from '../../src/domain/ids.ts'
import type { MessageContent } from '../../src/model/chat.ts'
import { addMessage } from '../../src/store/chats/add-message.ts'
import { insertChat } from '../../src/store/chats/insert-chat.ts'
import { claimAgentRuns } from '../../src/store/agent-runs/claim-agent-runs.ts'
import { emptyTables } from '../store/empty-tables.ts'
import type { TestOrganization, TestService } from '../test-service.ts'

/** Helpers for tests of the chat routes. The service has no worker: the test acts as the agent. */

/** Removes all chats, so that a test only sees what it created. */
export async function clearChats({ services: { db } }: TestService): Promise<void> {
  await emptyTables(db, ['automations', 'agent_runs', 'chats', 'webhook_events', 'notifications', 'model_settings'])
}

/** Creates an automation with a pending run and its chat. */
export async function openChat(
  { services, clock }: TestService,
  organization: TestOrganization,
  name = 'Weekly revenue',
): Promise<{ runId: string; shortId: string; automationId: string }> {
  const { db, random } = services
  const { organizationId, userId } = organization.admin.caller
  const automation = { id: newId(random, 'automation'), name, instructions: 'Look at revenue.', agent: 'digest' as const }
  await clock.advance(1)
  const now = clock.now()
  await db
    .insertInto('automations')
    .values({ ...automation, organization_id: organizationId, enabled: true, created_by: userId, created_at: now, updated_at: now })
    .execute()
  const requested = await db.transaction().execute((tx) =>
    requestAutomationRun(
      { tx, clock, random },
      { ...automation, organizationId, createdBy: userId },
      { trigger: 'person', triggerId: userId },
    ),
  )
  return { runId: requested!.runId, shortId: requested!.chatShortId, automationId: automation.id }
}

/** Claims the oldest pending run, of one organization if given, as a worker does. The caller writes as its agent and ends it. */
export async function beginOldest({ services }: TestService, organization?: TestOrganization): Promise<{
  runId: string
  chat: ChatWriter
  end(ending: Ending): Promise<boolean>
}> {
  const workerId = 'worker_test'
  const rooms = new Map(organization && [[organization.admin.caller.organizationId, 1]])
  const claim = { workerId, leaseMs: 30_000, count: 1, rooms, roomOfOthers: organization ? 0 : 1 }
  const run = (await claimAgentRuns(services.db, claim))[0]!
  const { leaseNumber } = run
  return {
    runId: run.id,
    chat: makeChatWriter(services, { runId: run.id, workerId, leaseNumber }),
    end: (ending) => endAgentRun(services, { runId: run.id, while: { status: 'held', workerId, leaseNumber }, ending }),
  }
}

/** Stores a chat with a question, a step and an answer with a figure; returns its short id. */
export async function storeAnsweredChat({ services, clock }: TestService, organization: TestOrganization): Promise<string> {
  const { db, random } = services
  const { organizationId, userId } = organization.admin.caller
  const now = clock.now()
  const chat = { id: newId(random, 'chat'), shortId: newShortId(random) }
  const text = 'How many orders did we get last week?'
  const runId = 'run_9x1c4v7b'
  const answer = `[2,011](${services.baseUrl}/runs/${runId}) orders.`
  const figure = { id: 'f1', text: '2,011', isProven: true, value: '2011', unit: '', runId, expression: 'last(orders)', start: 1, end: 6, reason: null }
  const reference = { shortId: newShortId(random), title: 'Revenue by week' }
  const sqlText = 'select week, orders, revenue from weeks'
  const source = { runId, sql: sqlText, parameters: {}, resultHash: '4d91c0aa' }
  const contents: MessageContent[] = [
    { kind: 'question', text, follows: null },
    { kind: 'query_run', runId, reference, sql: sqlText, parameterValues: {}, status: 'completed', rowCount: 2, preview: null, failureReason: null },
    { kind: 'answer', text: answer, figures: [figure], sources: [source], followUps: ['And the week before?'] },
  ]
  await db.transaction().execute(async (tx) => {
    await insertChat(tx, { ...chat, organizationId, title: text, createdBy: userId, now })
    for (const content of contents) {
      await addMessage(tx, { chatId: chat.id, agentRunId: null, userId: content.kind === 'question' ? userId : null, content, now })
    }
  })
  return chat.shortId
}

/** Whether a question waits for an agent. */
export async function hasPendingAgentRun({ services }: TestService): Promise<boolean> {
  const run = await services.db.selectFrom('agent_runs').select('id').where('status', '=', 'pending').executeTakeFirst()
  return run !== undefined
}

export async function setUpModel({ services, clock }: TestService, organization: TestOrganization): Promise<void> {
  const { organizationId, userId } = organization.admin.caller
  await services.db
    .insertInto('model_settings')
    .values({
      organization_id: organizationId,
      provider: 'openai_compatible',
      base_url: 'https://models.example/v1',
      model: 'small',
      api_key: null,
      updated_by: userId,
      updated_at: clock.now(),
    })
    .execute()
}
