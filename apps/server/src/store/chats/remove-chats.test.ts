import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStage, type Stage } from '../../../testing/lists/list-world.ts'
import { untilWaiting } from '../../../testing/people/until-waiting.ts'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import { insertAgentRun } from '../agent-runs/insert-agent-run.ts'
import { insertChat } from './insert-chat.ts'
import { lockChatWithRuns } from './remove-chats.ts'

/** Races need several connections, so they are tested on PostgreSQL. */
let store: TestStore
let shop: Stage

beforeAll(async () => {
  store = await openTestStore('postgres')
  shop = await makeStage(store, 'shop')
})
afterAll(() => store.close())

const now = new Date('2026-01-05T09:00:00Z')
const chat = { id: 'chat_1', shortId: 'm4k2x8qdpw' }
const lock = () => store.db.transaction().execute((tx) => lockChatWithRuns(tx, chat.id))

test('a question that is asked between the two locks is noticed, and locked the next time', async () => {
  const { organizationId, userId } = shop.caller
  await store.db.transaction().execute((tx) => insertChat(tx, { ...chat, organizationId, title: 'Orders', createdBy: userId, now }))
  const [hasChat, mayAsk] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const asking = store.db.transaction().execute(async (tx) => {
    await sql`select from chats where id = ${chat.id} for update`.execute(tx)
    hasChat.resolve()
    await mayAsk.promise
    const run = { id: 'arun_1', organizationId, automationId: null, chatId: chat.id, agent: 'model', trigger: 'question' } as const
    const rest = { triggerId: userId, userId, instructions: 'How many?', requestedAt: now, dueAt: null, missedCount: 0 }
    await insertAgentRun(tx, { ...run, ...rest })
  })
  await hasChat.promise
  const locking = lock()
  await untilWaiting(store.db, 1)
  mayAsk.resolve()
  await asking
  expect(await locking).toBe('changed')
  expect(await lock()).toEqual({ title: 'Orders', isOfAutomation: false })
})

test('a chat that does not exist is not locked', async () => {
  expect(await store.db.transaction().execute((tx) => lockChatWithRuns(tx, 'chat_other'))).toBeUndefined()
})
