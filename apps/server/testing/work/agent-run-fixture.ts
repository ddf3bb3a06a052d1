import { sql } from 'kysely'
import type { AgentKind, AgentRun, AgentRunTrigger } from '../../src/model/agent-run.ts'
import { requestAutomationRun } from '../../src/domain/agent-runs/request-automation-run.ts'
import type { AgentAnswer, AgentTask } from '../../src/domain/agent-runs/agent.ts'
import type { Message } from '../../src/model/chat.ts'
import { makeChatWriter } from '../../src/domain/chats/make-chat-writer.ts'
import { newId, newShortId } from '../../src/domain/ids.ts'
import { addMember, createOrganization, createUser } from '../../src/domain/people/organizations.ts'
import type { Caller } from '../../src/model/caller.ts'
import { insertAgentRun } from '../../src/store/agent-runs/insert-agent-run.ts'
import { findAgentRun } from '../../src/store/agent-runs/read-agent-runs.ts'
import { insertChat } from '../../src/store/chats/insert-chat.ts'
import { readMessages } from '../../src/store/chats/read-messages.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Db, Store } from '../../src/store/db.ts'
import type { Role } from '../../src/model/people.ts'
import { pollPause } from '../poll-pause.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import { seededRandom } from '../seeded-random.ts'
import { silentLog } from '../silent-log.ts'
import { makeSqlAgentRunStore } from '../../src/workers/agent-run-store.ts'
import { makeAgentRunWorker } from '../../src/workers/agent-run-worker.ts'

/** A store with an organization, agents controlled by the test, and workers that run them. */
export type AgentRunFixture = Awaited<ReturnType<typeof openAgentRunFixture>>
export type TestWorker = ReturnType<typeof makeAgentRunWorker>

export interface HeldTask {
  task: AgentTask
  complete(answer?: Partial<AgentAnswer>): void
  fail(error: unknown): void
}

export const settle = () => new Promise((resolve) => setImmediate(resolve))

export async function until<Value>(
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
  for (;;) {
    const value = await look()
    if (value) return value
    await pollPause()
  }
}

/** An agent whose tasks wait until the test completes them. It throws when interrupted. */
export function heldAgent() {
  const tasks: HeldTask[] = []
  const state = { ignoresInterruption: false }
  const agent = (task: AgentTask) =>
    new Promise<AgentAnswer>((resolve, reject) => {
      const complete = (answer: Partial<AgentAnswer> = {}) => resolve({ summary: 'All is well.', ...answer })
      task.signal.addEventListener('abort', () => {
        if (!state.ignoresInterruption) reject(new Error('interrupted'))
      })
      tasks.push({ task, complete, fail: reject })
    })
  return { agent, tasks, state }
}

export async function openAgentRunFixture(open: (clock: ManualClock) => Promise<Store>, seed: string) {
  const clock: ManualClock = manualClock()
  const store = await open(clock)
  const random = seededRandom(seed)
  const { db } = store
  const held = heldAgent()
  const workers: TestWorker[] = []
  const ended: { agent: AgentKind; status: string; durationMs: number }[] = []
  const baseUrl = 'https://querypost.test'

  async function addOrganization(name: string): Promise<string> {
    return (await db.transaction().execute((tx) => createOrganization({ tx, clock, random }, { name }))).id
  }
  async function addPerson(organizationId: string, name: string, role: Role = 'admin'): Promise<Caller> {
    return db.transaction().execute(async (tx) => {
      const email = `${name.toLowerCase()}@${organizationId.toLowerCase()}.test`
      const user = await createUser({ tx, clock, random }, { email, name, passwordHash: 'none' })
      return addMember({ tx, clock }, { organizationId, userId: user.id, role })
    })
  }
  const organizationId = await addOrganization('Shop')
  const ada = await addPerson(organizationId, 'Ada')

  async function addAutomation(of: { organizationId: string; createdBy: string } = { organizationId, createdBy: ada.userId }) {
    const automation = {
      id: newId(random, 'automation'),
      organizationId: of.organizationId,
      name: 'Weekly revenue',
      instructions: 'Look at revenue.',
      agent: 'digest' as AgentKind,
      createdBy: of.createdBy,
    }
    const now = clock.now()
    await db
      .insertInto('automations')
      .values({
        id: automation.id,
        organization_id: automation.organizationId,
        name: automation.name,
        instructions: automation.instructions,
        agent: automation.agent,
        enabled: true,
        created_by: automation.createdBy,
        created_at: now,
        updated_at: now,
      })
      .execute()
    return automation
  }

  return {
    ...store,
    clock,
    random,
    log: silentLog,
    baseUrl,
    held,
    ended,
    organizationId,
    ada,
    addOrganization,
    addPerson,
    addAutomation,

    /** Requests a run, later than the previous one; returns its id. */
    async request(
      automation: Awaited<ReturnType<typeof addAutomation>>,
      by: { trigger: Exclude<AgentRunTrigger, 'question'>; triggerId: string } = { trigger: 'person', triggerId: ada.userId },
    ): Promise<string> {
      await clock.advance(1)
      const requested = await db
        .transaction()
        .execute((tx) => requestAutomationRun({ tx, clock, random }, automation, by))
      if (!requested) throw new Error('The automation already has a run.')
      return requested.runId
    },

    /** Requests an answer in a new chat; returns the run's id. */
    async ask(text: string): Promise<string> {
      await clock.advance(1)
      const now = clock.now()
      const chat = { id: newId(random, 'chat'), shortId: newShortId(random), organizationId, title: 'Chat', createdBy: ada.userId, now }
      const id = newId(random, 'arun')
      await db.transaction().execute(async (tx) => {
        await insertChat(tx, chat)
        await insertAgentRun(tx, {
          id,
          organizationId,
          automationId: null,
          chatId: chat.id,
          agent: 'model',
          trigger: 'question',
          triggerId: ada.userId,
          userId: ada.userId,
          instructions: text,
          requestedAt: now,
          dueAt: null,
          missedCount: 0,
        })
      })
      return id
    },

    startWorker(options: { timeLimitSeconds?: number; db?: Db; log?: Log } = {}): TestWorker {
      const deps = { db: options.db ?? db, clock, random, baseUrl }
      const worker = makeAgentRunWorker({
        agentRuns: makeSqlAgentRunStore(deps),
        chatWriterOf: (lease) => makeChatWriter(deps, lease),
        wakeups: store.wakeups,
        clock,
        random,
        log: options.log ?? silentLog,
        agents: { digest: held.agent, model: held.agent },
        timeLimitSeconds: options.timeLimitSeconds ?? 3600,
        onAgentRunEnded: (one) => ended.push(one),
      })
      worker.start()
      workers.push(worker)
      return worker
    },

    async addEndpoint(): Promise<string> {
      const id = newId(random, 'we')
      const now = clock.now()
      await db
        .insertInto('webhook_endpoints')
        .values({
          id,
          organization_id: organizationId,
          url: 'https://hooks.example/secret-path',
          description: null,
          event_types: ['automation.run.completed', 'automation.run.failed'],
          state: 'enabled',
          secret: Buffer.alloc(32),
          created_by: ada.userId,
          created_at: now,
          updated_at: now,
        })
        .execute()
      return id
    },

    stateOf,
    async whenEnded(runId: string): Promise<AgentRun> {
      return until(async () => {
        const run = await stateOf(runId)
        return run.endedAt !== null && run
      })
    },
    /** Advances time second by second until `look` returns a value. */
    async inTime<Value>(look: () => Promise<Value | undefined | false> | Value | undefined | false): Promise<Value> {
      for (;;) {
        const value = await look()
        if (value) return value
        await clock.advance(1000)
        // Statements of others that started before have finished when these have. A second is longer than a statement.
        for (let turn = 0; turn < 3; turn += 1) await sql`select 1`.execute(db)
      }
    },
    whenTasks: (count: number) => until(() => held.tasks.length >= count),
    async messagesOf(runId: string): Promise<Message[]> {
      return readMessages(db, { chatId: (await stateOf(runId)).chatId })
    },
    rowOf: (runId: string) => db.selectFrom('agent_runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow(),
    events: async () =>
      (await db.selectFrom('webhook_events').select('body').orderBy('created_at').orderBy('id').execute()).map(
        ({ body }) => JSON.parse(body) as { id: string; type: string; createdAt: string; data: { runId: string } },
      ),
    deliveries: () => db.selectFrom('webhook_deliveries').selectAll().execute(),
    notifications: () =>
      db
        .selectFrom('notifications')
        .select(['user_id', 'kind', 'message', 'link'])
        .orderBy('created_at')
        .orderBy('user_id')
        .execute(),

    /** Stops the workers, which release their runs, and closes the store. */
    async close() {
      const stopping = Promise.all(workers.splice(0).map((worker) => worker.stop({ graceMs: 0 })))
      let isStopped = false
      void stopping.finally(() => (isStopped = true))
      // A worker whose store is unreachable stops when its grace period ends.
      for (; !isStopped; await settle()) await clock.advance(1000)
      await stopping
      await store.close()
    },
  }

  async function stateOf(runId: string): Promise<AgentRun> {
    const row = await db.selectFrom('agent_runs').select('organization_id').where('id', '=', runId).executeTakeFirstOrThrow()
    return (await findAgentRun(db, { organizationId: row.organization_id, agentRunId: runId }))!
  }
}
