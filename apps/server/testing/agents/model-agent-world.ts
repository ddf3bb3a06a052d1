import { sql } from 'kysely'
import type { Clock } from '../../src/ports/clock.ts'
import type { Db } from '../../src/store/db.ts'
import { openAgentFetch } from '../agent-fetch.ts'
import { type ModelServer, type Script, startModelServer } from '../servers/model-server.ts'
import { startTestService, type TestOrganization, type TestService } from '../test-service.ts'
import type { StoreKind } from '../store/test-store.ts'
import type { ChatWriter } from '../../src/domain/agent-runs/chat-writer.ts'
import type { MessageContent } from '../../src/model/chat.ts'
import { type AgentAnswer, AgentFailure, type AgentTask } from '../../src/domain/agent-runs/agent.ts'
import { makeModelAgent } from '../../src/domain/agents/model/model-agent.ts'
import { putModelSettings } from '../../src/domain/agents/model/model-settings.ts'
import type { ModelProvider } from '../../src/model/model-settings.ts'

/** Runs the model agent on its own: the service is real, the model is scripted, and the chat is a list. */
export interface AgentUnderTest {
  service: TestService
  shop: TestOrganization
  server: ModelServer
  /** Carries out a task with the given answers of the model. */
  run(answers: Script[], options?: RunOptions): Promise<Outcome>
  stop(): Promise<void>
}

export interface RunOptions {
  task?: Partial<AgentTask>
  clock?: Clock
  provider?: ModelProvider
  baseUrl?: string
  apiKey?: string | null
  /** By default the agent knows no tables at the start, so that chats contain only what the script causes. */
  knowsTables?: boolean
}

export interface Outcome {
  /** Undefined if it failed. */
  answer: AgentAnswer | undefined
  failure: AgentFailure | undefined
  messages: MessageContent[]
  /** How often the chat was written to. */
  writes: number
  /** Everything that was ever written to the chat, in order. */
  history: MessageContent[]
  // oxlint-disable-next-line typescript/no-explicit-any
  bodies: any[]
}

export const testKey = 'sk-test-0123456789'

export async function openAgentUnderTest(
  kind: StoreKind = 'postgres',
  options: Parameters<typeof startTestService>[1] = {},
): Promise<AgentUnderTest> {
  const agentFetch = openAgentFetch()
  const service = await startTestService(kind, { agentFetch: agentFetch.fetch, ...options })
  const shop = await service.addOrganization('shop')
  const server = await startModelServer()
  return {
    service,
    shop,
    server,
    async run(answers, { task, clock, provider = 'openai_compatible', baseUrl = server.url, apiKey = testKey, knowsTables } = {}) {
      const { services } = service
      if (!knowsTables) await forgetTables(services.db)
      await putModelSettings(services, shop.admin.caller, { provider, baseUrl, model: 'scripted-1', apiKey })
      const firstRequest = server.requests.length
      server.forget()
      server.script(...answers)
      const chat = listedChat()
      const agent = makeModelAgent({ ...services, ...(clock && { clock }) })
      const given: AgentTask = {
        runId: 'arun_test',
        automationId: 'automation_test',
        chatId: 'chat_test',
        trigger: 'person',
        instructions: 'Look at the numbers.',
        references: [],
        requestedAt: service.clock.now(),
        caller: { ...shop.admin.caller, triggerId: 'arun_test' },
        chat,
        signal: new AbortController().signal,
        ...task,
      }
      const ended = await agent(given).then(
        (answer) => ({ answer, failure: undefined }),
        (error: unknown) => {
          if (error instanceof AgentFailure) return { answer: undefined, failure: error }
          throw error
        },
      )
      const bodies = server.requests.slice(firstRequest).map(({ body }) => body)
      return { ...ended, messages: chat.messages, writes: chat.writes(), history: chat.history, bodies }
    },
    async stop() {
      await service.stop()
      await server.close()
      await agentFetch.close()
    },
  }
}

/** Leaves an empty catalog that is not read again within an hour. */
export async function forgetTables(db: Db): Promise<void> {
  await sql`
    insert into catalogs (analytical_database_config_id, organization_id, refreshed_at)
    select id, organization_id, store_now() from analytical_database_configs
    on conflict (analytical_database_config_id) do update set refreshed_at = excluded.refreshed_at`.execute(db)
  await db.deleteFrom('catalog_tables').execute()
}

export function listedChat(): ChatWriter & { messages: MessageContent[]; history: MessageContent[]; writes(): number } {
  const messages: MessageContent[] = []
  const history: MessageContent[] = []
  return {
    messages,
    history,
    writes: () => history.length,
    async add(content) {
      history.push(content)
      return messages.push(content)
    },
    async change(number, content) {
      if (!messages[number - 1]) throw new Error(`There is no message ${number}.`)
      history.push(content)
      messages[number - 1] = content
    },
  }
}

/** Never waits, and records how long it should have waited. */
export function instantClock(clock: Clock): Clock & { waitsMs: number[] } {
  const waitsMs: number[] = []
  return { ...clock, waitsMs, sleep: async (ms) => void waitsMs.push(ms) }
}

/** The last tool answer in a request to the model. */
export function lastToolAnswer(body: { messages: { role: string; content: string }[] }): string {
  return body.messages.findLast(({ role }) => role === 'tool')!.content
}
