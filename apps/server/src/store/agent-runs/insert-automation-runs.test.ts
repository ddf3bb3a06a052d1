import { describe, expect, test } from 'vitest'
import { requestAutomationRun } from '../../domain/agent-runs/request-automation-run.ts'
import { createAutomation, storeReferenceTo } from '../../../testing/http/automation-requests.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { storeKinds } from '../../../testing/store/test-store.ts'
import { addMessage } from '../chats/add-message.ts'
import { readMessages } from '../chats/read-messages.ts'

describe.each(storeKinds)('on %s', (kind) => {
  test('messages added to the chat of a new run come after its initial messages', async () => {
    const service = await startTestService(kind, { worker: false })
    try {
      const shop = await service.addOrganization('shop')
      const automation = await createAutomation(shop, { references: [await storeReferenceTo(shop, 'select 1')] })
      const { db, clock, random } = service.services
      const { organizationId, userId } = shop.admin.caller
      const requested = await db.transaction().execute((tx) =>
        requestAutomationRun(
          { tx, clock, random },
          { ...automation, agent: 'digest', organizationId },
          { trigger: 'condition', triggerId: automation.id, note: 'It has 3 rows, which is > 0.' },
        ),
      )
      const { id: chatId } = await db
        .selectFrom('chats')
        .select('id')
        .where('short_id', '=', requested!.chatShortId)
        .executeTakeFirstOrThrow()
      const question = { chatId, agentRunId: null, userId, content: { kind: 'question', text: 'Why?' }, now: clock.now() } as const
      expect(await addMessage(db, question)).toBe(3)
      const messages = await readMessages(db, { chatId })
      expect(messages.map(({ number, revision, content }) => [number, revision, content.kind])).toEqual([
        [1, 1, 'instruction'],
        [2, 2, 'note'],
        [3, 3, 'question'],
      ])
    } finally {
      await service.stop()
    }
  })
})
