import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stopAgentRun } from '../domain/agent-runs/agent-runs.ts'
import { AgentFailure } from '../domain/agent-runs/agent.ts'
import { Refusal } from '../domain/refusal.ts'
import { makeFindMember } from '../store/people/find-member.ts'
import { openTestStore, ruleKindsOf, storeKinds } from '../../testing/store/test-store.ts'
import { type AgentRunFixture, openAgentRunFixture, until } from '../../testing/work/agent-run-fixture.ts'

describe.each(storeKinds)('the agent run worker on %s', (kind) => {
  let office: AgentRunFixture

  beforeEach(async () => {
    office = await openAgentRunFixture((clock) => openTestStore(kind, { clock }), `agent run worker ${kind}`)
  })
  afterEach(() => office.close())

  const stop = (runId: string, by = office.ada) => {
    const findMember = makeFindMember({ db: office.db })
    return stopAgentRun({ ...office, findMember }, by, runId)
  }

  test('a completed run has its row, chat, event and deliveries', async () => {
    const endpointId = await office.addEndpoint()
    office.startWorker()
    const automation = await office.addAutomation()
    const runId = await office.request(automation)
    await office.whenTasks(1)
    const { task, complete } = office.held.tasks[0]!
    const running = await office.stateOf(runId)
    expect(running).toMatchObject({ status: 'running', startedAt: expect.any(Date), endedAt: null, summary: null })
    expect(task).toMatchObject({
      runId,
      automationId: automation.id,
      chatId: running.chatId,
      instructions: 'Look at revenue.',
      references: [],
      requestedAt: running.requestedAt,
      caller: { organizationId: office.organizationId, userId: office.ada.userId, role: 'admin', triggerId: runId },
    })
    await task.chat.add({ kind: 'note', text: 'I look.' })
    await office.clock.advance(1500)
    const usage = { inputTokens: 3, outputTokens: 2, steps: 1 }
    complete({ summary: '**Revenue** was [12](https://querypost.test/runs/run_1).', usage })
    const run = await office.whenEnded(runId)
    expect(run).toMatchObject({
      status: 'completed',
      endedAt: office.clock.now(),
      summary: 'Revenue was 12.',
      failureReason: null,
      usage,
      eventId: expect.stringMatching(/^evt_/),
    })
    expect((await office.messagesOf(runId)).map(({ number, agentRunId, user, content }) => ({ number, agentRunId, user, content }))).toEqual([
      { number: 1, agentRunId: runId, user: null, content: { kind: 'instruction', text: 'Look at revenue.' } },
      { number: 2, agentRunId: runId, user: null, content: { kind: 'note', text: 'I look.' } },
      {
        number: 3,
        agentRunId: runId,
        user: null,
        content: { kind: 'summary', text: '**Revenue** was [12](https://querypost.test/runs/run_1).' },
      },
    ])
    const chatUrl = `https://querypost.test/chats/${run.chatShortId}`
    expect(await office.events()).toEqual([
      {
        id: run.eventId,
        type: 'automation.run.completed',
        createdAt: office.clock.now().toISOString(),
        data: {
          automationId: automation.id,
          automationName: 'Weekly revenue',
          runId,
          summary: 'Revenue was 12.',
          chatUrl,
          imageUrl: null,
        },
      },
    ])
    expect(await office.deliveries()).toMatchObject([{ endpoint_id: endpointId, event_id: run.eventId, state: 'pending' }])
    expect(await office.notifications()).toEqual([])
    expect(await office.rowOf(runId)).toMatchObject({ lease_owner: null, lease_expires_at: null, attempt_count: 1 })
    await until(() => office.ended.length === 1)
    expect(office.ended).toEqual([{ agent: 'digest', status: 'completed', durationMs: 1500 }])
  })

  test.each(ruleKindsOf(kind))('a run fails with the agent’s message, the message of a rejection, or a pointer to the log', async () => {
    office.startWorker()
    const runIds: string[] = []
    for (let count = 0; count < 3; count++) runIds.push(await office.request(await office.addAutomation()))
    await office.whenTasks(3)
    const taskOf = (runId: string) => office.held.tasks.find(({ task }) => task.runId === runId)!
    const usage = { inputTokens: 5, outputTokens: 0, steps: 1 }
    taskOf(runIds[0]!).fail(new AgentFailure('The model answered nothing. Try again.', { usage }))
    taskOf(runIds[1]!).fail(new Refusal('reference_not_found', 'There is no reference.'))
    taskOf(runIds[2]!).fail(new TypeError('cannot read properties of undefined'))
    const [failed, refused, broken] = await Promise.all(runIds.map((runId) => office.whenEnded(runId)))
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'The model answered nothing. Try again.', usage })
    expect(refused).toMatchObject({ status: 'failed', failureReason: 'There is no reference.', usage: null })
    expect(broken!.failureReason).toMatch(new RegExp(`log under ${runIds[2]}`))
    expect(broken!.failureReason).not.toContain('undefined')
    expect((await office.messagesOf(runIds[0]!)).at(-1)!.content).toEqual({
      kind: 'failure',
      reason: 'The model answered nothing. Try again.',
    })
    const events = await office.events()
    expect(events.map(({ type }) => type)).toEqual(Array(3).fill('automation.run.failed'))
    expect(events.find(({ data }) => data.runId === runIds[0])!.data).toEqual({
      automationId: failed!.automationId,
      automationName: 'Weekly revenue',
      runId: runIds[0],
      chatUrl: `https://querypost.test/chats/${failed!.chatShortId}`,
      reason: 'The model answered nothing. Try again.',
    })
  })

  test.each(ruleKindsOf(kind))('each run has one log line; an internal error has a second one with its cause', async () => {
    const lines: Record<string, unknown>[] = []
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    office.startWorker({ log })
    const automation = await office.addAutomation()
    const runId = await office.request(automation)
    await office.whenTasks(1)
    await office.clock.advance(250)
    office.held.tasks[0]!.fail(new TypeError('a mistake'))
    await office.whenEnded(runId)
    await until(() => lines.length === 2)
    expect(lines).toMatchObject([
      { level: 50, agentRunId: runId, err: { message: 'a mistake' } },
      {
        level: 30,
        msg: 'agent run ended',
        agentRunId: runId,
        automationId: automation.id,
        organizationId: office.organizationId,
        agent: 'digest',
        trigger: 'person',
        attempt: 1,
        waitedMs: 0,
        durationMs: 250,
        became: 'failed',
        reason: expect.stringContaining(runId),
      },
    ])
  })

  test.each(ruleKindsOf(kind))('a chat run ends with an answer and publishes no event', async () => {
    await office.addEndpoint()
    office.startWorker()
    const [answered, failing] = [await office.ask('How much?'), await office.ask('And now?')]
    await office.whenTasks(2)
    expect(office.held.tasks[0]!.task).toMatchObject({ automationId: null, instructions: 'How much?', references: [] })
    office.held.tasks[0]!.complete({ summary: '**Twelve.**' })
    office.held.tasks[1]!.fail(new AgentFailure('No model.'))
    expect(await office.whenEnded(answered)).toMatchObject({ status: 'completed', summary: 'Twelve.', eventId: null })
    expect(await office.whenEnded(failing)).toMatchObject({ status: 'failed', eventId: null })
    expect((await office.messagesOf(answered)).map(({ content }) => content)).toEqual([{ kind: 'answer', text: '**Twelve.**' }])
    expect(await office.events()).toEqual([])
    expect(await office.notifications()).toEqual([])
  })

  test.each(ruleKindsOf(kind))('a streamed summary keeps its position in the chat', async () => {
    office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    const { task, complete } = office.held.tasks[0]!
    const number = await task.chat.add({ kind: 'text', text: 'Reve' })
    await task.chat.change(number, { kind: 'text', text: 'Revenue fell.' })
    complete({ summary: 'Revenue fell.', summaryMessageNumber: number })
    await office.whenEnded(runId)
    expect((await office.messagesOf(runId)).map(({ content }) => content.kind)).toEqual(['instruction', 'summary'])
  })

  test.each(ruleKindsOf(kind))('replaces characters that the store cannot hold, and truncates long texts', async () => {
    office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    const { task, complete } = office.held.tasks[0]!
    const number = await task.chat.add({ kind: 'text', text: 'a\0b\ud83d' })
    await task.chat.change(number, { kind: 'tool_call', tool: 't', connector: null, input: '\0', status: 'running', output: null })
    complete({ summary: `\0${'word '.repeat(1000)}` })
    const run = await office.whenEnded(runId)
    expect(run.summary).toMatch(/^\ufffdword .*word…$/)
    expect(run.summary!.length).toBeLessThanOrEqual(2000)
    expect((await office.messagesOf(runId)).slice(1).map(({ content }) => content)).toEqual([
      // A step that the agent left open is closed.
      expect.objectContaining({ kind: 'tool_call', input: '\ufffd', status: 'failed', output: expect.stringContaining('ended') }),
      { kind: 'summary', text: `\ufffd${'word '.repeat(1000)}` },
    ])
  })

  test.each(ruleKindsOf(kind))('a run is stopped at the time limit', async () => {
    office.startWorker({ timeLimitSeconds: 5 })
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    await office.clock.advance(4999)
    expect(office.held.tasks[0]!.task.signal.aborted).toBe(false)
    await office.clock.advance(1)
    const { failureReason } = await office.whenEnded(runId)
    expect(failureReason).toContain('time limit of 5 seconds')
    expect(failureReason).toContain('AGENT_TIMEOUT_SECONDS')
  })

  test.each(ruleKindsOf(kind))('an agent that ignores its interruption is abandoned, and can no longer write', async () => {
    office.held.state.ignoresInterruption = true
    office.startWorker({ timeLimitSeconds: 5 })
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    const { task, complete } = office.held.tasks[0]!
    await office.clock.advance(5000)
    expect(task.signal.aborted).toBe(true)
    await office.clock.advance(5000)
    expect((await office.whenEnded(runId)).failureReason).toContain('time limit')
    await expect(task.chat.add({ kind: 'text', text: 'late' })).rejects.toMatchObject({ name: 'LeaseLost' })
    complete()
    expect(await office.events()).toHaveLength(1)
  })

  test.each(ruleKindsOf(kind))('a person can stop a running run, and the reason names them', async () => {
    office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    await office.held.tasks[0]!.task.chat.add({
      kind: 'query_run',
      runId: null,
      reference: null,
      sql: null,
      parameterValues: {},
      status: 'running',
      rowCount: null,
      preview: null,
      failureReason: null,
    })
    await stop(runId)
    expect(await office.whenEnded(runId)).toMatchObject({ status: 'failed', failureReason: 'Stopped by Ada.' })
    expect(office.held.tasks[0]!.task.signal.aborted).toBe(true)
    expect((await office.messagesOf(runId)).slice(1).map(({ content }) => content)).toEqual([
      expect.objectContaining({ kind: 'query_run', status: 'failed', failureReason: 'Stopped by Ada.' }),
      { kind: 'failure', reason: 'Stopped by Ada.', isStopped: true },
    ])
    expect(await office.events()).toMatchObject([{ type: 'automation.run.failed', data: { reason: 'Stopped by Ada.' } }])
    expect(await office.notifications()).toEqual([])
    await expect(stop(runId)).rejects.toMatchObject({ code: 'run_already_ended' })
  })

  test.each(ruleKindsOf(kind))('a person can stop a pending run, which fails at once with all its records', async () => {
    await office.addEndpoint()
    const runId = await office.request(await office.addAutomation())
    const stopped = await stop(runId)
    const reason = 'Stopped by Ada before it started.'
    expect(stopped).toMatchObject({ status: 'failed', failureReason: reason, startedAt: null, event: { type: 'automation.run.failed' } })
    expect((await office.messagesOf(runId)).at(-1)!.content).toEqual({ kind: 'failure', reason, isStopped: true })
    expect(await office.deliveries()).toHaveLength(1)
    office.startWorker()
    await until(() => office.clock.sleepers() === 4)
    expect(office.held.tasks).toEqual([])
  })

  test.each(ruleKindsOf(kind))('the user of the run must be a member', async () => {
    const eve = await office.addPerson(office.organizationId, 'Eve', 'member')
    const automation = await office.addAutomation({ organizationId: office.organizationId, createdBy: eve.userId })
    const runId = await office.request(automation)
    await office.db.deleteFrom('memberships').where('user_id', '=', eve.userId).execute()
    office.startWorker()
    expect((await office.whenEnded(runId)).failureReason).toContain('no longer a member')
    expect(office.held.tasks).toEqual([])
    // The former member gets no notification; the person who requested the run does.
    expect((await office.notifications()).map(({ user_id }) => user_id)).toEqual([office.ada.userId])
  })

  test.each(ruleKindsOf(kind))('oldest first, with at most a quarter of the slots for one organization', async () => {
    const other = await office.addOrganization('Bank')
    const bob = await office.addPerson(other, 'Bob')
    const ofShop = []
    for (let count = 0; count < 20; count++) ofShop.push(await office.request(await office.addAutomation()))
    const ofBank = []
    const bank = { organizationId: other, createdBy: bob.userId }
    for (let count = 0; count < 18; count++) ofBank.push(await office.request(await office.addAutomation(bank)))
    office.startWorker()
    await office.whenTasks(16)
    const begun = () => office.held.tasks.map(({ task }) => task.runId)
    expect(begun()).toEqual([...ofShop.slice(0, 8), ...ofBank.slice(0, 8)])
    office.held.tasks[12]!.complete()
    await office.whenTasks(17)
    expect(begun().at(-1)).toBe(ofBank[8])
    office.held.tasks[3]!.complete()
    await office.whenTasks(18)
    expect(begun().at(-1)).toBe(ofShop[8])
  })

  test.each(ruleKindsOf(kind))('several workers share the work without doing any run twice', async () => {
    const runIds: string[] = []
    for (let count = 0; count < 40; count++) runIds.push(await office.request(await office.addAutomation()))
    for (let count = 0; count < 5; count++) office.startWorker()
    await office.whenTasks(40)
    for (const { complete } of office.held.tasks) complete()
    const ended = await Promise.all(runIds.map((runId) => office.whenEnded(runId)))
    expect(ended.map(({ status }) => status)).toEqual(Array(40).fill('completed'))
    expect(office.held.tasks.map(({ task }) => task.runId).toSorted()).toEqual(runIds.toSorted())
    expect((await office.events()).map(({ data }) => data.runId).toSorted()).toEqual(runIds.toSorted())
  })
})
