import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { testMembers } from '../../../testing/people/members.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import type { Caller } from '../../model/caller.ts'
import { insertChat } from '../../store/chats/insert-chat.ts'
import { newId, newShortId } from '../ids.ts'
import { getChat } from './chats.ts'

const clock = manualClock()
const random = seededRandom('opening chats')
const now = clock.now()

let store: TestStore
let costs: StatementCosts
let caller: Caller

beforeAll(async () => {
  store = await openTestStore('postgres', { isNew: true, clock })
  const people = testMembers({ db: store.db, clock, random })
  caller = await people.member(await people.organization())
  costs = openStatementCosts(store.url!)
})
afterAll(async () => {
  await costs.close()
  await store.close()
})

/** A chat of a person with this many questions, each with a run, three steps and an answer. */
async function addChat(questions: number): Promise<string> {
  const { organizationId, userId } = caller
  const chat = { id: newId(random, 'chat'), shortId: newShortId(random) }
  await store.db.transaction().execute((tx) => insertChat(tx, { ...chat, organizationId, title: 'Orders', createdBy: userId, now }))
  const messages = questions * 5
  await sql`update chats set message_count = ${messages}, revision = ${messages} where id = ${chat.id}`.execute(store.db)
  await sql`
    insert into chat_messages (chat_id, number, kind, content, revision, created_at)
    select ${chat.id}, number, kind, jsonb_build_object('kind', kind, 'text', repeat('word ', 50), 'status', 'completed'), number, ${now}
    from generate_series(1, ${messages}::integer) as number,
      lateral (select case number % 5 when 1 then 'question' when 0 then 'answer' else 'query_run' end as kind) as what`.execute(store.db)
  await sql`
    insert into agent_runs (id, organization_id, chat_id, agent, status, trigger, trigger_id, user_id, instructions, summary,
      requested_at, started_at, ended_at)
    select ${chat.id} || number, ${organizationId}, ${chat.id}, 'model', 'completed', 'question', ${userId}, ${userId}, '', '', at, at, at
    from generate_series(1, ${questions}::integer) as number,
      lateral (select ${now}::timestamptz + number * interval '1 second' as at) as moment`.execute(store.db)
  return chat.shortId
}

test('a chat with 500 messages costs as much to open as one with 15', async () => {
  const [short, long] = [await addChat(3), await addChat(100)]
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await sql`analyze`.execute(store.db)
    const few = await costs.measureEach((db) => getChat({ db }, caller, short))
    const many = await costs.measureEach((db) => getChat({ db }, caller, long))
    for (const { answer } of [few, many]) {
      expect(answer.messages).toHaveLength(10)
      expect(answer.hasEarlier).toBe(true)
    }
    expect(many.answer.run).toMatchObject({ requestedAt: new Date(now.getTime() + 100_000) })
    expect(many.costs).toHaveLength(few.costs.length)
    for (const [index, cost] of many.costs.entries()) {
      const label = `statement ${index}, analyzed: ${isAnalyzed}`
      expect(cost.rowsInOneStep, label).toBeLessThanOrEqual(25)
      expect(cost.buffers, label).toBeLessThanOrEqual(few.costs[index]!.buffers + 20)
    }
  }
})
