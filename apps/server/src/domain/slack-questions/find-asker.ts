import type { Caller } from '../../model/caller.ts'
import type { ClaimedSlackQuestion } from '../../model/slack-question.ts'
import type { Db } from '../../store/db.ts'
import { findMemberByEmail } from '../../store/people/memberships-table.ts'
import type { Refused } from '../channels/exchange.ts'
import { callSlack, type SlackApiDeps } from '../channels/slack/slack-api.ts'
import type { declined } from './replies.ts'

export type Asker =
  | { kind: 'member'; caller: Caller }
  | { kind: 'declined'; why: keyof typeof declined }
  /** Slack did not say who it is. */
  | { kind: 'unknown'; outcome: Refused }

/** An account as Slack describes it. */
interface SlackAccount {
  team_id?: string
  deleted?: boolean
  is_bot?: boolean
  is_email_confirmed?: boolean
  profile?: { email?: string }
}

/** A removed e-mail address works for this long at most. Memberships are looked up every time. */
const keptMs = 60_000

/**
 * Finds the member who asks, by the e-mail address of the Slack account. Only accounts of the bot's own workspace count: the admins of
 * another one choose the addresses of its accounts.
 */
export function makeFindAsker(deps: SlackApiDeps & { db: Db }) {
  const kept = new Map<string, { untilMs: number; account: SlackAccount }>()

  async function findAccount(
    { channelId, slackUserId }: ClaimedSlackQuestion,
    token: string,
    signal: AbortSignal,
  ): Promise<SlackAccount | { outcome: Refused }> {
    const nowMs = deps.clock.monotonicMs()
    for (const [key, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(key)
    const key = `${channelId} ${slackUserId}`
    const known = kept.get(key)
    if (known) return known.account
    const answer = await callSlack<{ user: SlackAccount }>(deps, { token, method: 'users.info', args: { user: slackUserId } }, signal)
    if (!answer.ok) return { outcome: answer.outcome }
    const account = answer.content.user
    kept.set(key, { untilMs: nowMs + keptMs, account })
    return account
  }

  return async (question: ClaimedSlackQuestion, token: string, signal: AbortSignal): Promise<Asker> => {
    const account = await findAccount(question, token, signal)
    if ('outcome' in account) return { kind: 'unknown', outcome: account.outcome }
    const { organizationId, settings } = question
    if (account.team_id !== settings['teamId']) return { kind: 'declined', why: 'other_workspace' }
    if (account.deleted === true || account.is_bot === true) return { kind: 'declined', why: 'not_a_member' }
    const email = account.profile?.email
    if (email === undefined || account.is_email_confirmed === false) return { kind: 'declined', why: 'no_email' }
    const member = await findMemberByEmail(deps.db, { organizationId, email })
    if (!member) return { kind: 'declined', why: 'not_a_member' }
    const { userId, role } = member
    return { kind: 'member', caller: { organizationId, userId, role, triggerId: userId } }
  }
}
