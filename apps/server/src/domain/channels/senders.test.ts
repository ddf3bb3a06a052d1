import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AgentFetch, openAgentFetch } from '../../../testing/agent-fetch.ts'
import { manyDownloads, sampleReport, tinyPng } from '../../../testing/channels/sample-report.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { type SlackServer, startSlackServer } from '../../../testing/servers/slack-server.ts'
import { startTeamsServer, type TeamsServer } from '../../../testing/servers/teams-server.ts'
import type { ChannelKind } from '../../model/channel.ts'
import type { ReportDocument, SendOutcome } from '../../model/report.ts'
import type { ChannelSender, OutgoingReport } from './channel-sender.ts'
import { makeSlackBotSender } from './slack/bot-sender.ts'
import { makeListConversations } from './slack/conversations.ts'
import { writeSlackSecret } from './slack/slack-secret.ts'
import { makeSlackWebhookSender } from './slack/webhook-sender.ts'
import { renderTeamsMessage } from './teams/render-card.ts'
import { makeTeamsSender } from './teams/teams-sender.ts'

const never = new AbortController().signal
let agentFetch: AgentFetch
beforeAll(() => {
  agentFetch = openAgentFetch()
})
afterAll(() => agentFetch.close())

function outgoing(channelKind: ChannelKind, secret: string, change: Partial<OutgoingReport> = {}, conversation?: string): OutgoingReport {
  const to = { kind: 'channel', organizationId: 'org_1', channelId: 'chn_1', channelKind, settings: {}, secret, ...(conversation !== undefined && { conversation }) } as const
  return { ...sampleReport(), deliveryId: 'rdl_1', to, ...change }
}

const later: SendOutcome = { kind: 'refused_for_now', detail: 'Too many requests (429).', retryAfterMs: 30_000 }
const tooMany = { status: 429, headers: { 'retry-after': '30' } }
const failing = (code: string) => ({ status: 200, body: { ok: false, error: code } })

describe('Slack', () => {
  let slack: SlackServer
  beforeEach(async () => {
    slack = await startSlackServer()
  })
  afterEach(() => slack.close())

  describe('by an incoming webhook', () => {
    const send = (url = slack.webhookUrl) => makeSlackWebhookSender({ clock: manualClock(), guardedFetch: agentFetch.fetch }).send(outgoing('slack_webhook', url), never)

    test('posts the blocks', async () => {
      expect(await send()).toEqual({ kind: 'sent' })
      expect(slack.messages).toMatchObject([{ text: expect.stringContaining('Weekly sales'), blocks: expect.arrayContaining([{ type: 'header', text: { type: 'plain_text', text: 'Weekly sales' } }]) }])
    })

    test.each([
      [tooMany, later],
      [{ status: 503 }, { kind: 'refused_for_now', detail: 'The receiver answered 503.' }],
      [{ status: 404, body: 'no_service' }, { kind: 'refused_for_good', detail: 'The webhook was removed or disabled in Slack.', isChannelBroken: true }],
      [{ status: 410, body: 'channel_is_archived' }, { kind: 'refused_for_good', detail: 'The Slack channel is archived.', isChannelBroken: true }],
      [{ status: 400, body: 'invalid_blocks' }, { kind: 'refused_for_good', detail: 'Slack answered 400: invalid_blocks', isChannelBroken: false }],
    ])('understands %o', async (answer, outcome) => {
      slack.answers.push(answer)
      expect(await send()).toEqual(outcome)
    })

    test('is refused an address that the operator has not allowed', async () => {
      expect(await send('http://10.0.0.1/services/x')).toMatchObject({ kind: 'refused_for_good', isChannelBroken: true })
    })
  })

  describe('as a bot', () => {
    const deps = (clock = manualClock()) => ({ clock, guardedFetch: agentFetch.fetch, slackApiUrl: slack.apiUrl })
    const send = (change: Partial<OutgoingReport> = {}, { conversation = 'C0000000', token = slack.token } = {}) =>
      makeSlackBotSender(deps()).send(outgoing('slack_bot', writeSlackSecret({ token, signingSecret: null }), change, conversation), never)

    test('posts the blocks together with charts and attachments', async () => {
      const file = { fileName: 'sales.csv', contentType: 'text/csv', bytes: Buffer.from('a\n1\n') }
      expect(await send({ attachments: [file] })).toEqual({ kind: 'sent' })
      expect(slack.messages).toMatchObject([
        {
          conversation: 'C0000000',
          files: [
            { title: 'sales.csv', fileName: 'sales.csv', bytes: Buffer.from('a\n1\n') },
            { title: 'Revenue by day', fileName: 'chart.png', bytes: tinyPng },
          ],
        },
      ])
      expect(slack.calls).toEqual(['files.getUploadURLExternal', 'upload/F1', 'files.getUploadURLExternal', 'upload/F2', 'files.completeUploadExternal'])
    })

    test('posts a message without files directly', async () => {
      expect(await send({ images: new Map() })).toEqual({ kind: 'sent' })
      expect(slack.calls).toEqual(['chat.postMessage'])
    })

    test.each([
      ['an unknown conversation', { conversation: 'C9' }, { kind: 'refused_for_good', isChannelBroken: false, detail: expect.stringContaining('Invite the bot') }],
      ['a conversation without the bot', { conversation: 'C0000001' }, { kind: 'refused_for_good', isChannelBroken: false, detail: expect.stringContaining('Invite it') }],
      ['a wrong token', { token: 'xoxb-old' }, { kind: 'refused_for_good', isChannelBroken: true, detail: 'Slack does not accept the token.' }],
    ])('is refused with %s', async (_, where, outcome) => {
      expect(await send({}, where)).toEqual(outcome)
      expect(slack.messages).toEqual([])
    })

    test.each([
      [tooMany, later],
      [failing('internal_error'), { kind: 'refused_for_now', detail: 'Slack answered internal_error.' }],
      [failing('token_revoked'), { kind: 'refused_for_good', detail: 'The token was revoked.', isChannelBroken: true }],
      [{ status: 200, body: '<html>' }, { kind: 'refused_for_now', detail: 'Slack’s answer is not JSON.' }],
    ])('understands %o', async (answer, outcome) => {
      slack.answers.push(answer)
      expect(await send()).toEqual(outcome)
    })

    test('lists conversations page by page, once a minute', async () => {
      const clock = manualClock()
      const list = makeListConversations(deps(clock))
      const [first, second] = await Promise.all([list(slack.token), list(slack.token)])
      expect(first.map(({ name }) => name)).toEqual(['#general', '#ops', '#sales'])
      expect(second).toBe(first)
      expect(slack.calls).toHaveLength(2)
      clock.leap(60_000)
      await list(slack.token)
      expect(slack.calls).toHaveLength(4)
    })

    test('does not keep a failed list, nor one of another token', async () => {
      const list = makeListConversations(deps())
      await expect(list('xoxb-old')).rejects.toThrow('Slack does not accept the token.')
      expect(await list(slack.token)).toHaveLength(3)
      await expect(list('xoxb-old')).rejects.toThrow('Slack does not accept the token.')
    })
  })
})

describe('Teams', () => {
  let teams: TeamsServer
  beforeEach(async () => {
    teams = await startTeamsServer()
  })
  afterEach(() => teams.close())
  const send = (change: Partial<ReportDocument> = {}, url = teams.url) =>
    makeTeamsSender({ clock: manualClock(), guardedFetch: agentFetch.fetch }).send(outgoing('teams', url, sampleReport(change)), never)

  test('posts a card with every section', async () => {
    expect(await send()).toEqual({ kind: 'sent' })
    const [card] = teams.cards
    const texts = JSON.stringify(card)
    for (const part of ['Weekly sales', '**[€12,345.60](https://querypost.test/proofs/1)**', '[Best sellers](https://querypost.test/q/best)', '4,800.50', 'data:image/png;base64,', 'Showing 3 of 1,234 rows', 'The query failed']) {
      expect(texts).toContain(part)
    }
    expect(card!.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open in Querypost', url: 'https://querypost.test/b/k7Rm2QwXn4' }])
  })

  test.each<[string, Partial<ReportDocument>]>([
    ['a text of 100,000 characters', { sections: [{ kind: 'text', markdown: 'wörd '.repeat(20_000), figures: [] }] }],
    ['many files', { downloads: manyDownloads(30) }],
    ['many sections', { sections: Array.from({ length: 200 }, () => ({ kind: 'failure', title: 'ü'.repeat(300), link: 'https://x.test/', reason: 'é'.repeat(900) })) }],
    ['Markdown in values', { title: '**x** [y](javascript:1)', sections: [{ kind: 'number', title: '](https://evil.test)', link: 'https://x.test/', text: '_1_' }] }],
  ])('stays within the limits of Teams with %s', async (_, change) => {
    expect(await send(change)).toEqual({ kind: 'sent' })
    expect(JSON.stringify(teams.cards)).not.toMatch(/[^\\]\]\((https:\/\/evil|javascript)/)
  })

  test('describes a picture that is too large for a card, and says what was left out', () => {
    const { document } = sampleReport()
    const large = new Map([['image_1', Buffer.alloc(50_000)]])
    const shown = JSON.stringify(renderTeamsMessage(document, large))
    expect(shown).not.toContain('data:image')
    expect(shown).toContain('Line chart of revenue by day')
    const sections = Array.from({ length: 200 }, () => document.sections[4]!)
    expect(JSON.stringify(renderTeamsMessage({ ...document, sections }, large))).toMatch(/1\d\d more sections in Querypost/)
  })

  test.each([
    [tooMany, later],
    [{ status: 502 }, { kind: 'refused_for_now', detail: 'The receiver answered 502.' }],
    [{ status: 400, body: { error: { message: 'The input is not valid.' } } }, { kind: 'refused_for_good', detail: 'Teams answered 400: The input is not valid.', isChannelBroken: false }],
  ])('understands %o', async (answer, outcome) => {
    teams.answers.push(answer)
    expect(await send()).toEqual(outcome)
  })

  test('links to files, and says how many it has no room for', () => {
    const shown = JSON.stringify(renderTeamsMessage(sampleReport({ downloads: manyDownloads(21) }).document, new Map()))
    expect(shown.match(/\[file \d+\.csv\]/g)).toHaveLength(20)
    expect(shown).toContain('1 more file in Querypost')
  })

  test('a workflow that is gone breaks the channel', async () => {
    expect(await send({}, teams.url.replace('abc', 'other'))).toMatchObject({ kind: 'refused_for_good', isChannelBroken: true })
  })
})

test('every sender rejects with the reason of its signal', async () => {
  const slack = await startSlackServer()
  const abort = AbortSignal.abort(new Error('stopped'))
  const deps = { clock: manualClock(), guardedFetch: agentFetch.fetch, slackApiUrl: slack.apiUrl }
  const senders: [ChannelSender, OutgoingReport][] = [
    [makeSlackWebhookSender(deps), outgoing('slack_webhook', slack.webhookUrl)],
    [makeSlackBotSender(deps), outgoing('slack_bot', writeSlackSecret({ token: slack.token, signingSecret: null }), {}, 'C0000000')],
    [makeTeamsSender(deps), outgoing('teams', slack.webhookUrl)],
  ]
  for (const [sender, report] of senders) await expect(sender.send(report, abort)).rejects.toThrow('stopped')
  await slack.close()
})
