import type { Conversation } from '../../../model/channel.ts'
import { Refusal } from '../../refusal.ts'
import { callSlack, type SlackApiDeps } from './slack-api.ts'

export type ListConversations = (token: string) => Promise<Conversation[]>

const keptMs = 60_000
const pageSize = 200
/** Slack allows about 20 of these requests per minute. */
const pagesMax = 15

interface Page {
  channels: { id: string; name: string; is_private?: boolean }[]
  response_metadata?: { next_cursor?: string }
}

/**
 * Lists the conversations that a bot can post to, by name. The list is kept for a minute, and requests that arrive together share
 * one: a person who types into the picker causes many.
 */
export function makeListConversations(deps: SlackApiDeps): ListConversations {
  const kept = new Map<string, { untilMs: number; list: Promise<Conversation[]> }>()

  async function read(token: string): Promise<Conversation[]> {
    const found: Conversation[] = []
    // Not the signal of a request: others may be waiting for the same list. Every call has its own deadline.
    const { signal } = new AbortController()
    let cursor = ''
    for (let page = 0; page < pagesMax; page++) {
      const args = { types: 'public_channel,private_channel', exclude_archived: 'true', limit: String(pageSize), ...(cursor !== '' && { cursor }) }
      const answer = await callSlack<Page>(deps, { token, method: 'conversations.list', args }, signal)
      if (!answer.ok) throw new Refusal('invalid_request', answer.outcome.detail)
      found.push(...answer.content.channels.map(({ id, name }) => ({ id, name: `#${name}` })))
      cursor = answer.content.response_metadata?.next_cursor ?? ''
      if (cursor === '') break
    }
    return found.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  }

  return async (token) => {
    const nowMs = deps.clock.monotonicMs()
    for (const [key, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(key)
    const known = kept.get(token)
    if (known) return known.list
    const entry = { untilMs: nowMs + keptMs, list: read(token) }
    kept.set(token, entry)
    // A failure is not kept: the person may have fixed it.
    entry.list.catch(() => kept.get(token) === entry && kept.delete(token))
    return entry.list
  }
}
