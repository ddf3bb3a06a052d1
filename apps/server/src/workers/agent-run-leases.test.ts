import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expireAgentRunLeases, requestAgentRunStop } from '../store/agent-runs/agent-run-leases.ts'
import { openTestStore, storeKinds } from '../../testing/store/test-store.ts'
import { type AgentRunFixture, openAgentRunFixture, until } from '../../testing/work/agent-run-fixture.ts'
import { killable } from '../../testing/work/killable-store.ts'

const leaseMs = 30_000

describe.each(storeKinds)('leases of agent runs on %s', (kind) => {
  let office: AgentRunFixture

  beforeEach(async () => {
    office = await openAgentRunFixture((clock) => openTestStore(kind, { clock }), `agent run leases ${kind}`)
  })
  afterEach(() => office.close())

  /** A run whose worker dies before it writes anything. */
  async function begunAndLeft(): Promise<string> {
    const mortal = killable(office.db)
    office.startWorker({ db: mortal.db })
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    await office.held.tasks[0]!.task.chat.add({
      kind: 'tool_call',
      tool: 'list_tables',
      connector: null,
      input: '{}',
      status: 'running',
      output: null,
    })
    mortal.kill()
    return runId
  }

  const endOf = async (runId: string) => {
    const run = await office.stateOf(runId)
    return run.endedAt !== null && run
  }

  test('a run whose worker died starts over once its lease has expired, not before, and the chat says so', async () => {
    const begunAt = office.clock.now().getTime()
    const runId = await begunAndLeft()
    office.startWorker()
    // Each worker has four repeated tasks, plus the run's time limit.
    const allWait = () => until(() => office.clock.sleepers() === 9)
    for (let step = 1; step < leaseMs / 10_000; step++) {
      await allWait()
      await office.clock.advance(10_000)
    }
    await allWait()
    expect(await office.rowOf(runId)).toMatchObject({ status: 'running', lease_number: 1 })
    await office.inTime(() => office.held.tasks.length === 2)
    expect(office.clock.now().getTime()).toBeGreaterThanOrEqual(begunAt + leaseMs)
    expect(await office.rowOf(runId)).toMatchObject({ status: 'running', attempt_count: 2, lease_number: 2 })
    const died = 'The process running it crashed. Starting over.'
    expect((await office.messagesOf(runId)).slice(1).map(({ content }) => content)).toEqual([
      expect.objectContaining({ kind: 'tool_call', status: 'failed', output: died }),
      { kind: 'note', text: died },
    ])
    // The worker that was presumed dead can no longer write.
    office.held.tasks[0]!.complete({ summary: 'Too late.' })
    await expect(office.held.tasks[0]!.task.chat.add({ kind: 'text', text: 'late' })).rejects.toThrow('dead')
    office.held.tasks[1]!.complete({ summary: 'In time.' })
    expect(await office.whenEnded(runId)).toMatchObject({ status: 'completed', summary: 'In time.' })
    expect(await office.events()).toHaveLength(1)
  })

  test('a run that kills every worker fails after three attempts, with all its records', async () => {
    await office.addEndpoint()
    const runId = await begunAndLeft()
    await office.db.updateTable('agent_runs').set({ attempt_count: 3 }).execute()
    office.startWorker()
    const { failureReason } = await office.inTime(() => endOf(runId))
    expect(failureReason).toContain('crashed 3 times')
    expect((await office.messagesOf(runId)).at(-1)!.content).toMatchObject({ kind: 'failure' })
    expect(await office.events()).toMatchObject([{ type: 'automation.run.failed', data: { runId } }])
    expect(await office.deliveries()).toHaveLength(1)
    expect(await office.notifications()).toHaveLength(1)
    expect(office.held.tasks).toHaveLength(1)
  })

  test('a stop that the dead worker did not see takes effect', async () => {
    const runId = await begunAndLeft()
    await requestAgentRunStop(office.db, { runId, userId: office.ada.userId })
    office.startWorker()
    expect((await office.inTime(() => endOf(runId))).failureReason).toBe('Stopped by Ada.')
    expect(office.held.tasks).toHaveLength(1)
  })

  test('the only process on a store does not wait for the leases of dead workers', async () => {
    const runId = await begunAndLeft()
    await expireAgentRunLeases(office.db)
    office.startWorker()
    // While the clock stands still.
    await office.whenTasks(2)
    office.held.tasks[1]!.complete()
    expect((await office.whenEnded(runId)).status).toBe('completed')
  })

  test('a live worker keeps its lease, however long the run takes', async () => {
    office.startWorker()
    office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    // Each worker has four repeated tasks, plus the run's time limit. Advance the clock when all of them sleep.
    const allWait = () => until(() => office.clock.sleepers() === 9)
    for (let step = 1; step <= 12; step++) {
      await allWait()
      await office.clock.advance(10_000)
    }
    await allWait()
    expect(await office.rowOf(runId)).toMatchObject({ status: 'running', attempt_count: 1 })
    office.held.tasks[0]!.complete()
    expect((await office.whenEnded(runId)).status).toBe('completed')
  })

  test('a worker that has lost its lease interrupts the agent and writes nothing', async () => {
    const worker = office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    const { task } = office.held.tasks[0]!
    await sql`update agent_runs set lease_number = lease_number + 1, lease_owner = 'worker_other'`.execute(office.db)
    await expect(task.chat.add({ kind: 'text', text: 'late' })).rejects.toMatchObject({ name: 'LeaseLost' })
    await expect(task.chat.change(1, { kind: 'text', text: 'late' })).rejects.toMatchObject({ name: 'LeaseLost' })
    // At the next renewal.
    await office.inTime(() => task.signal.aborted)
    await worker.stop({ graceMs: 0 })
    expect(await office.rowOf(runId)).toMatchObject({ status: 'running', lease_owner: 'worker_other' })
    expect(await office.messagesOf(runId)).toHaveLength(1)
    expect(office.ended).toEqual([])
  })

  test('a worker that cannot renew its lease in time interrupts the agent', async () => {
    const mortal = killable(office.db)
    office.startWorker({ db: mortal.db })
    await office.request(await office.addAutomation())
    await office.whenTasks(1)
    mortal.kill()
    const { signal } = office.held.tasks[0]!.task
    await office.clock.advance(leaseMs - 10_000)
    expect(signal.aborted).toBe(false)
    await office.inTime(() => signal.aborted)
  })

  test('an answer that cannot be recorded for a while is kept, and its lease is renewed', async () => {
    const mortal = killable(office.db)
    office.startWorker({ db: mortal.db })
    office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    const holder = await office.rowOf(runId)
    await sql`alter table webhook_events rename to webhook_events_away`.execute(office.db)
    office.held.tasks[0]!.complete({ summary: 'Worth keeping.' })
    // Each worker has four repeated tasks; the ninth sleeper waits to retry recording the outcome.
    for (let step = 1; step <= 40; step++) {
      await until(() => office.clock.sleepers() === 9)
      await office.clock.advance(1_000)
    }
    // Nothing is recorded yet, because the end is one transaction.
    expect(await office.rowOf(runId)).toMatchObject({ status: 'running', lease_owner: holder.lease_owner, event_id: null })
    expect(await office.messagesOf(runId)).toHaveLength(1)
    await sql`alter table webhook_events_away rename to webhook_events`.execute(office.db)
    const ended = await office.inTime(() => endOf(runId))
    expect(ended).toMatchObject({ status: 'completed', summary: 'Worth keeping.' })
    expect(await office.events()).toHaveLength(1)
    expect(office.held.tasks).toHaveLength(1)
  })

  test('a stopping process gives its run back at once, and the attempt does not count', async () => {
    const worker = office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    await worker.stop({ graceMs: 5000 })
    expect(office.held.tasks[0]!.task.signal.aborted).toBe(true)
    expect(await office.rowOf(runId)).toMatchObject({ status: 'pending', attempt_count: 0, started_at: null, lease_owner: null })
    expect((await office.messagesOf(runId)).at(-1)!.content).toMatchObject({ kind: 'note', text: expect.stringContaining('Starting over') })
    expect(await office.events()).toEqual([])
    office.startWorker()
    await office.whenTasks(2)
    office.held.tasks[1]!.complete()
    expect((await office.whenEnded(runId)).status).toBe('completed')
  })

  test('a stop waits no longer than its grace period for an agent that ignores it', async () => {
    office.held.state.ignoresInterruption = true
    const worker = office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    const stopping = worker.stop({ graceMs: 3000 })
    await until(() => office.held.tasks[0]!.task.signal.aborted)
    await office.clock.advance(3000)
    await stopping
    expect(await office.rowOf(runId)).toMatchObject({ status: 'pending', attempt_count: 0 })
  })

  test('a stop still records the answer of an agent that has finished', async () => {
    office.held.state.ignoresInterruption = true
    const worker = office.startWorker()
    const runId = await office.request(await office.addAutomation())
    await office.whenTasks(1)
    const stopping = worker.stop({ graceMs: 3000 })
    office.held.tasks[0]!.complete()
    await stopping
    expect((await office.stateOf(runId)).status).toBe('completed')
  })
})
