import { exchange, type ExchangeDeps, type Refused, refusedForNow } from '../exchange.ts'

export const slackApiUrlDefault = 'https://slack.com/api/'

export interface SlackApiDeps extends ExchangeDeps {
  /** Ends with a slash. Workspaces of GovSlack have another one than the default. */
  slackApiUrl: string
}

/** `scopes`: the permissions of the token, if Slack named them. `code`: the error, if Slack named one. */
export type SlackAnswer<Content> =
  | { ok: true; content: Content; scopes: string[] | null }
  | { ok: false; outcome: Refused; code?: string }

/** Calls a method of Slack's Web API with a bot token. The caller names the fields that it reads. */
export async function callSlack<Content>(
  deps: SlackApiDeps,
  call: { token: string; method: string; args: Record<string, string> },
  signal: AbortSignal,
): Promise<SlackAnswer<Content>> {
  const answer = await exchange(
    deps,
    {
      url: new URL(call.method, deps.slackApiUrl).href,
      // Every method accepts a form; only some accept JSON.
      headers: { authorization: `Bearer ${call.token}`, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: new URLSearchParams(call.args).toString(),
    },
    signal,
  )
  if ('outcome' in answer) return { ok: false, outcome: answer.outcome }
  if (answer.status !== 200) return { ok: false, outcome: refusedForNow(answer) }
  const content = parse(answer.text)
  if (!content) return { ok: false, outcome: { kind: 'refused_for_now', detail: 'Slack’s answer is not JSON.' } }
  if (content.ok === true) return { ok: true, content: content as Content, scopes: scopesIn(answer.headers) }
  const code = typeof content.error === 'string' ? content.error : 'unknown_error'
  return { ok: false, outcome: slackFailure(code, typeof content.needed === 'string' ? content.needed : undefined), code }
}

function scopesIn(headers: Headers): string[] | null {
  const named = headers.get('x-oauth-scopes')
  return named === null ? null : named.split(',').map((scope) => scope.trim())
}

function parse(text: string): { ok?: unknown; error?: unknown; needed?: unknown } | null {
  try {
    const content: unknown = JSON.parse(text)
    return typeof content === 'object' ? content : null
  } catch {
    return null
  }
}

/** Nothing works with this token until an admin changes something. */
const brokenBecause: Record<string, string> = {
  account_inactive: 'The bot was removed from the Slack workspace.',
  invalid_auth: 'Slack does not accept the token.',
  not_authed: 'Slack does not accept the token.',
  token_expired: 'The token has expired.',
  token_revoked: 'The token was revoked.',
  missing_scope: 'The bot lacks a permission. Add the scopes that the documentation lists, and reinstall it.',
  org_login_required: 'The Slack workspace is being moved to an organization.',
  team_access_not_granted: 'The bot was not given access to the workspace.',
}

/** Only this conversation is affected. */
const refusedBecause: Record<string, string> = {
  channel_not_found: 'The conversation does not exist, or the bot is not a member of it. Invite the bot to it in Slack.',
  not_in_channel: 'The bot is not a member of the conversation. Invite it in Slack.',
  is_archived: 'The conversation is archived.',
  restricted_action: 'Posting to the conversation is restricted in Slack.',
  restricted_action_read_only_channel: 'The conversation is read-only.',
}

const temporary: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'ratelimited',
  'rate_limited',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
])

/** `needed`: the missing permission. */
export function slackFailure(code: string, needed?: string): Refused {
  if (code === 'missing_scope' && needed !== undefined) {
    const detail = `The bot lacks the permission ${needed.slice(0, 200)}. Add it in Slack under OAuth & Permissions, and reinstall the app.`
    return { kind: 'refused_for_good', detail, isChannelBroken: true }
  }
  if (temporary.has(code)) return { kind: 'refused_for_now', detail: `Slack answered ${code}.` }
  const broken = brokenBecause[code]
  if (broken !== undefined) return { kind: 'refused_for_good', detail: broken, isChannelBroken: true }
  return { kind: 'refused_for_good', detail: refusedBecause[code] ?? `Slack answered ${code.slice(0, 100)}.`, isChannelBroken: false }
}
