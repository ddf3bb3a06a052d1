import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AgentFetch, openAgentFetch } from '../../../testing/agent-fetch.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { type SlackServer, startSlackServer } from '../../../testing/servers/slack-server.ts'
import type { ChannelKind } from '../../model/channel.ts'
import type { ChannelInput, ChannelRegistry } from './channel-registry.ts'
import { makeChannelRegistry } from './make-channel-registry.ts'
import { readSlackSecret } from './slack/slack-secret.ts'

let agentFetch: AgentFetch
let slack: SlackServer
let registry: ChannelRegistry
beforeAll(async () => {
  agentFetch = openAgentFetch()
  slack = await startSlackServer()
  registry = makeChannelRegistry({ clock: manualClock(), guardedFetch: agentFetch.fetch, slackApiUrl: slack.apiUrl, mail: null, findReceiver: async () => undefined, makeAttempt: async () => null })
})
afterAll(async () => {
  await slack.close()
  await agentFetch.close()
})

const check = (kind: ChannelKind, input: ChannelInput) => registry.kinds[kind]!.check(input, { organizationId: 'org_1' })

test('is registered under its own kind', () => {
  for (const [kind, definition] of Object.entries(registry.kinds)) expect(definition.kind).toBe(kind)
  expect(registry.email).toBeNull()
})

test.each(['slack_webhook', 'teams'] as const)('a channel of kind %s keeps its URL secret, and shows only the host', async (kind) => {
  expect(await check(kind, { secret: ' https://hooks.example.com/services/T1/secret ' })).toEqual({
    settings: { host: 'hooks.example.com' },
    secret: 'https://hooks.example.com/services/T1/secret',
  })
  for (const secret of [undefined, '', 'nothing', 'ftp://x.test/', 'https://user:pass@x.test/', `https://x.test/${'a'.repeat(5_000)}`]) {
    await expect(check(kind, { ...(secret !== undefined && { secret }) })).rejects.toThrow('secret must be a URL such as https://')
  }
})

const signingSecret = '0123456789abcdef0123456789abcdef'

test('a bot is asked who it is, and keeps both secrets sealed together', async () => {
  const { settings, secret } = await check('slack_bot', { secret: slack.token, settings: { signingSecret } })
  expect(settings).toEqual({ workspace: 'Shop', teamId: 'T1', botUserId: 'UBOT', answersMentions: 'yes' })
  expect(readSlackSecret(secret!)).toEqual({ token: slack.token, signingSecret })
  const silent = await check('slack_bot', { secret: slack.token })
  expect(silent.settings['answersMentions']).toBe('no')
  expect(await registry.kinds.slack_bot!.listConversations!(secret, new AbortController().signal)).toHaveLength(3)
})

test.each([
  [{ secret: 'xoxp-user-token' }, 'secret must be the token of a bot, which begins with xoxb-.'],
  [{ secret: 'xoxb-unknown' }, 'secret was not accepted: Slack does not accept the token.'],
  [{ secret: 'xoxb-test-token', settings: { signingSecret: 'short' } }, 'settings/signingSecret must be the signing secret of the Slack app: 32 hexadecimal digits.'],
])('rejects %o', async (input, message) => {
  await expect(check('slack_bot', input)).rejects.toThrow(message)
})
