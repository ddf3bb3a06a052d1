import type { Db } from '../db.ts'

/** What triggered a run: a user, a program with an API key, an automation, a question in a chat, or a viewer. */
export interface Trigger {
  kind: 'user' | 'key' | 'automation' | 'chat' | 'link' | 'embed'
  /** Null if the trigger no longer exists. */
  name: string | null
  /** For a run by an agent: its automation, if any, and the chat that holds its steps. */
  automationId: string | null
  chatShortId: string | null
}

/** Resolves trigger ids with one statement per kind, however many there are. */
export async function readTriggers(
  db: Db,
  key: { organizationId: string; triggerIds: string[] },
): Promise<(triggerId: string) => Trigger> {
  const known = new Map<string, Trigger>()
  const idsOf = (prefix: string) => [...new Set(key.triggerIds)].filter((id) => id.startsWith(prefix))
  const [users, keys, agentRuns] = [idsOf('user_'), idsOf('key_'), idsOf('arun_')]
  if (users.length > 0) {
    const rows = await db.selectFrom('users').select(['id', 'name']).where('id', 'in', users).execute()
    for (const { id, name } of rows) known.set(id, { kind: 'user', name, automationId: null, chatShortId: null })
  }
  if (keys.length > 0) {
    const rows = await db
      .selectFrom('api_keys')
      .select(['id', 'name'])
      .where('organization_id', '=', key.organizationId)
      .where('id', 'in', keys)
      .execute()
    for (const { id, name } of rows) known.set(id, { kind: 'key', name, automationId: null, chatShortId: null })
  }
  if (agentRuns.length > 0) {
    const rows = await db
      .selectFrom('agent_runs')
      .innerJoin('chats', 'chats.id', 'agent_runs.chat_id')
      .leftJoin('automations', 'automations.id', 'agent_runs.automation_id')
      .select([
        'agent_runs.id',
        'agent_runs.automation_id as automationId',
        'automations.name as automationName',
        'chats.short_id as chatShortId',
        'chats.title as chatTitle',
      ])
      .where('agent_runs.organization_id', '=', key.organizationId)
      .where('agent_runs.id', 'in', agentRuns)
      .execute()
    for (const { id, automationId, automationName, chatShortId, chatTitle } of rows) {
      const kind = automationId === null ? 'chat' : 'automation'
      known.set(id, { kind, name: automationName ?? chatTitle, automationId, chatShortId })
    }
  }
  return (triggerId) => known.get(triggerId) ?? unknown(triggerId)
}

/** Links and embedding secrets have no names. */
const kindsByPrefix = { key: 'key', arun: 'automation', link: 'link', embed: 'embed' } as const

function unknown(triggerId: string): Trigger {
  const prefix = triggerId.slice(0, triggerId.indexOf('_'))
  const kind = kindsByPrefix[prefix as keyof typeof kindsByPrefix] ?? 'user'
  return { kind, name: null, automationId: null, chatShortId: null }
}
