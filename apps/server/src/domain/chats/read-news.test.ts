import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { startTestService } from '../../../testing/test-service.ts'
import { readNews } from './chats.ts'

test('reads messages after the run, so that an ended run has all its messages', async () => {
  const service = await startTestService('postgres', { worker: false })
  const { db, clock } = service.services
  const { admin } = await service.addOrganization('shop')
  const { organizationId } = admin.caller
  const chat = { id: 'chat_one', organizationId }
  const at = { created_at: clock.now(), updated_at: clock.now() }
  const row = { id: chat.id, organization_id: organizationId, short_id: 'abcdefghjk', title: 'One', ...at }
  await db.insertInto('chats').values(row).execute()
  const order: string[] = []
  const tables = new WeakMap<object, string>()
  const watching: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const text = JSON.stringify(node)
      const table = ['chat_messages', 'agent_runs'].find((name) => text.includes(`"name":"${name}"`)) ?? 'other'
      tables.set(queryId, table)
      order.push(`asked for ${table}`)
      return node
    },
    async transformResult({ result, queryId }) {
      order.push(`had ${tables.get(queryId)}`)
      return result
    },
  }
  await readNews({ db: db.withPlugin(watching) }, chat, 0)
  expect(order.indexOf('had agent_runs')).toBeGreaterThanOrEqual(0)
  expect(order.indexOf('asked for chat_messages')).toBeGreaterThan(order.indexOf('had agent_runs'))
  await service.stop()
})
