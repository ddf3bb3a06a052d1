import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMessage } from '../../../store/chats/add-message.ts'
import { insertChat } from '../../../store/chats/insert-chat.ts'
import { ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import type { MessageContent } from '../../../model/chat.ts'
import { type AgentUnderTest, openAgentUnderTest } from '../../../../testing/agents/model-agent-world.ts'

describe.each(storeKinds)('a question in a chat, on %s', (kind) => {
  let agent: AgentUnderTest
  beforeAll(async () => {
    agent = await openAgentUnderTest(kind)
  })
  afterAll(() => agent.stop())

  async function openChat(id: string, contents: MessageContent[]): Promise<string> {
    const { db, clock } = agent.service.services
    const { organizationId, userId } = agent.shop.admin.caller
    const now = clock.now()
    const chat = { id, organizationId, shortId: id.slice(-10), title: 'Numbers', createdBy: userId, now }
    await db.transaction().execute((tx) => insertChat(tx, chat))
    for (const content of contents) {
      const isPersons = content.kind === 'question'
      await addMessage(db, { chatId: id, agentRunId: null, userId: isPersons ? userId : null, content, now })
    }
    return id
  }

  test('is answered with the earlier conversation and with tools', async () => {
    const chatId = await openChat('chat_abcdefghjk', [
      { kind: 'instruction', text: 'Look at the numbers.' },
      { kind: 'summary', text: 'There are **10** numbers.' },
      { kind: 'question', text: 'And how many are odd?' },
    ])
    const { databaseId } = agent.shop
    const { answer, messages, bodies } = await agent.run(
      [
        { toolCalls: [{ name: 'run_sql', input: { databaseId, sql: 'select count(*) as odd from numbers where n % 2 = 1' } }] },
        { text: '{{r1: odd}} are odd.' },
      ],
      { task: { automationId: null, chatId, instructions: 'And how many are odd?' } },
    )
    expect(bodies[0].messages.slice(1)).toEqual([
      { role: 'user', content: 'Look at the numbers.' },
      { role: 'assistant', content: 'There are **10** numbers.' },
      { role: 'user', content: 'And how many are odd?' },
    ])
    expect(messages).toMatchObject([{ kind: 'query_run', preview: { rows: [[5]] } }, { kind: 'text' }])
    expect(answer).toMatchObject({ summary: expect.stringMatching(/^\[5\]\(\S+\) are odd\.$/), summaryMessageNumber: 2 })
  })

  test.each(ruleKindsOf(kind))('is answered without what was said on other branches', async () => {
    const chatId = await openChat('chat_bcdefghjkm', [
      { kind: 'question', text: 'First?', follows: null },
      { kind: 'answer', text: 'One.' },
      { kind: 'question', text: 'Second?', follows: 1 },
      { kind: 'answer', text: 'Two.' },
      { kind: 'question', text: 'Second, edited?', follows: 1 },
    ])
    const task = { automationId: null, chatId, instructions: 'Second, edited?' }
    const { bodies } = await agent.run([{ text: 'Three.' }], { task })
    expect(bodies[0].messages.slice(1)).toEqual([
      { role: 'user', content: 'First?' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'Second, edited?' },
    ])
  })
})
