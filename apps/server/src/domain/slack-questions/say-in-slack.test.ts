import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AgentFetch, openAgentFetch } from '../../../testing/agent-fetch.ts'
import { tinyPng } from '../../../testing/channels/sample-report.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { type SlackServer, startSlackServer } from '../../../testing/servers/slack-server.ts'
import { plainReply } from './replies.ts'
import { sayInSlack } from './say-in-slack.ts'

let agentFetch: AgentFetch
let slack: SlackServer
beforeAll(() => {
  agentFetch = openAgentFetch()
})
afterAll(() => agentFetch.close())
beforeEach(async () => {
  slack = await startSlackServer()
})
afterEach(() => slack.close())

function say(text: string, { replyTs = null as string | null, hasChart = false } = {}) {
  const deps = { clock: manualClock(), guardedFetch: agentFetch.fetch, slackApiUrl: slack.apiUrl }
  const files = hasChart ? [{ title: 'Sums', altText: 'Bars.', fileName: 'chart.png', bytes: tinyPng }] : []
  const place = { token: slack.token, conversation: 'C0000000', threadTs: '5.000100', replyTs }
  return sayInSlack(deps, place, { message: plainReply(text), files }, new AbortController().signal)
}
const texts = () => slack.messages.map(({ text }) => text)

test('posts in the thread, then replaces what it posted', async () => {
  expect(await say('Looking …')).toEqual({ kind: 'said', replyTs: '1.000100', problem: null })
  expect(await say('Ten.', { replyTs: '1.000100' })).toEqual({ kind: 'said', replyTs: '1.000100', problem: null })
  expect(slack.messages).toMatchObject([{ threadTs: '5.000100', text: 'Ten.', conversation: 'C0000000' }])
})

test('posts again if someone has deleted the reply', async () => {
  expect(await say('Ten.', { replyTs: '99.000100' })).toEqual({ kind: 'said', replyTs: '1.000100', problem: null })
  expect(slack.calls).toEqual(['chat.update', 'chat.postMessage'])
})

test('does not post again if the reply can be replaced later', async () => {
  await say('Looking …')
  slack.answers.push({ status: 429, headers: { 'retry-after': '30' } })
  const outcome = { kind: 'refused_for_now', detail: 'Too many requests (429).', retryAfterMs: 30_000 }
  expect(await say('Ten.', { replyTs: '1.000100' })).toEqual({ kind: 'not_said', outcome, replyTs: '1.000100' })
  expect(texts()).toEqual(['Looking …'])
})

test('a chart that is refused for now is sent again, without another reply', async () => {
  slack.scopes.delete('chat:write')
  expect(await say('Ten.')).toMatchObject({ kind: 'not_said', outcome: { kind: 'refused_for_good', detail: expect.stringContaining('chat:write') }, replyTs: null })
  slack.scopes.add('chat:write')
  const { replyTs } = await say('Ten.')
  slack.answers.push({ status: 200, body: { ok: true } }, { status: 503 })
  expect(await say('Ten.', { replyTs, hasChart: true })).toMatchObject({ kind: 'not_said', outcome: { kind: 'refused_for_now' }, replyTs })
  expect(await say('Ten.', { replyTs, hasChart: true })).toEqual({ kind: 'said', replyTs, problem: null })
  expect(slack.messages).toMatchObject([{ text: 'Ten.' }, { files: [{ title: 'Sums' }], threadTs: '5.000100' }])
})
