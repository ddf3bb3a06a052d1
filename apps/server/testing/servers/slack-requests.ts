import type { InjectOptions } from 'fastify'
import { slackSignature } from '../../src/domain/slack-questions/signature.ts'

export const testSigningSecret = '0123456789abcdef0123456789abcdef'

/** A request of Slack, signed. Any part may be wrong. */
export function slackRequest(
  channelId: string,
  payload: object | string,
  options: { now: Date; signingSecret?: string; headers?: Record<string, string> },
): InjectOptions {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const timestamp = String(Math.floor(options.now.getTime() / 1000))
  const signature = slackSignature({ timestamp, body: Buffer.from(body) }, options.signingSecret ?? testSigningSecret)
  const signed = { 'content-type': 'application/json', 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature }
  return { method: 'POST', url: `/slack/events/${channelId}`, headers: { ...signed, ...options.headers }, payload: body }
}

let eventCount = 0

/** A mention of the bot `UBOT` in the workspace `T1`. Each is another event, unless it names one. */
export function mentionEvent(text: string, event: Record<string, unknown> = {}, envelope: Record<string, unknown> = {}): object {
  const ts = `${1_000 + ++eventCount}.000100`
  return {
    token: 'legacy',
    team_id: 'T1',
    api_app_id: 'A1',
    type: 'event_callback',
    event_id: `Ev${eventCount}`,
    event_time: 1_000 + eventCount,
    event: { type: 'app_mention', user: 'UANN', text: `<@UBOT> ${text}`, ts, channel: 'C0000000', event_ts: ts, ...event },
    ...envelope,
  }
}
