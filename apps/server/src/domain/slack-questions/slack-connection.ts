import type { Caller } from '../../model/caller.ts'
import type { SlackConnection } from '../../model/slack-question.ts'
import { abortAfter } from '../../ports/clock.ts'
import { findChannel } from '../../store/channels/channels-table.ts'
import type { Db } from '../../store/db.ts'
import { readSlackConnection } from '../../store/slack-questions/slack-questions-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { channelSecretContext } from '../channels/channel-secret.ts'
import { noSuchChannel } from '../channels/channels.ts'
import { callSlack, type SlackApiDeps } from '../channels/slack/slack-api.ts'
import { readSlackSecret } from '../channels/slack/slack-secret.ts'
import { isId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import type { Throttle } from '../throttle.ts'

/** Whether people can ask questions from a Slack workspace, and what is missing. */
export interface ShownSlackConnection extends SlackConnection {
  /** Where Slack sends events. */
  requestUrl: string
  /** A description of the Slack app, as JSON, to paste in Slack. */
  manifest: string
  hasSigningSecret: boolean
  /** Null if Slack did not name the bot's permissions. */
  missingScopes: string[] | null
  /** Why Slack does not accept the bot. Null if it does. */
  refusal: string | null
}

export const slackEventsPath = '/slack/events'

/** What the bot needs to answer questions. `users:read.email` needs `users:read`. */
export const questionScopes = ['app_mentions:read', 'chat:write', 'files:write', 'im:history', 'users:read', 'users:read.email'] as const
/** What it needs to list the conversations that reports can go to. */
const reportScopes = ['channels:read', 'groups:read'] as const

const deadlineMs = 20_000

/** For admins. Asks Slack, so that the page shows what is true now. */
export async function getSlackConnection(
  deps: SlackApiDeps & { db: Db; sealer: Sealer; baseUrl: string; connectionThrottle: Throttle },
  caller: Caller,
  channelId: string,
): Promise<ShownSlackConnection> {
  requireAdmin(caller)
  const { organizationId } = caller
  const channel = isId(channelId) ? await findChannel(deps.db, { organizationId, channelId }) : undefined
  if (!channel) throw noSuchChannel(channelId)
  if (channel.kind !== 'slack_bot') throw new Refusal('channel_not_slack', 'This channel is not a Slack workspace, so nobody can ask questions there.')
  deps.connectionThrottle.take(caller.userId)
  const { token, signingSecret } = readSlackSecret(deps.sealer.open(channel.sealedSecret!, channelSecretContext(channelId)))
  const requestUrl = `${deps.baseUrl}${slackEventsPath}/${channelId}`
  return {
    requestUrl,
    manifest: slackManifest({ requestUrl }),
    hasSigningSecret: signingSecret !== null,
    ...(await checkBot(deps, token)),
    ...(await readSlackConnection(deps.db, { organizationId, channelId })),
  }
}

async function checkBot(deps: SlackApiDeps, token: string): Promise<Pick<ShownSlackConnection, 'missingScopes' | 'refusal'>> {
  const deadline = abortAfter(deps.clock, deadlineMs)
  try {
    const answer = await callSlack(deps, { token, method: 'auth.test', args: {} }, deadline.signal)
    if (!answer.ok) return { missingScopes: null, refusal: answer.outcome.detail }
    return { missingScopes: answer.scopes && missingScopes(answer.scopes), refusal: null }
  } catch (error) {
    if (!deadline.signal.aborted) throw error
    return { missingScopes: null, refusal: `Slack did not answer within ${deadlineMs / 1000} seconds.` }
  } finally {
    deadline.cancel()
  }
}

export const missingScopes = (granted: readonly string[]): string[] => questionScopes.filter((scope) => !granted.includes(scope))

/** https://docs.slack.dev/reference/app-manifest */
export function slackManifest({ requestUrl }: { requestUrl: string }): string {
  const manifest = {
    display_information: { name: 'Querypost', description: 'Answers questions about your data, and posts reports' },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'Querypost', always_online: true },
    },
    oauth_config: { scopes: { bot: [...questionScopes, ...reportScopes].toSorted() } },
    settings: {
      event_subscriptions: { request_url: requestUrl, bot_events: ['app_mention', 'message.im'] },
      org_deploy_enabled: false,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
  }
  return JSON.stringify(manifest, null, 2)
}
