import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { findSlackBot } from '../../store/channels/find-slack-bot.ts'
import type { Db } from '../../store/db.ts'
import { insertSlackQuestion } from '../../store/slack-questions/accept-slack-event.ts'
import { noteSlackRequest } from '../../store/slack-questions/slack-questions-table.ts'
import { channelSecretContext } from '../channels/channel-secret.ts'
import { readSlackSecret } from '../channels/slack/slack-secret.ts'
import { isId, newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import type { Throttle } from '../throttle.ts'
import { readSlackEvent } from './read-event.ts'
import { isSignedBySlack, type SignedRequest } from './signature.ts'

export interface AcceptDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  /** By channel: questions only, so that nobody without the secret can use it up. */
  slackQuestionThrottle: Throttle
}

export type Acceptance =
  /** The sender learns nothing, not even whether the channel exists. */
  | { kind: 'unsigned' }
  | { kind: 'url_check'; challenge: string }
  | { kind: 'accepted' }

/**
 * Accepts a request of Slack. A question is stored for a worker in one short transaction, because Slack waits three seconds and then
 * repeats the event. A repeated event changes nothing.
 */
export async function acceptSlackEvent(deps: AcceptDeps, channelId: string, request: SignedRequest): Promise<Acceptance> {
  const channel = isId(channelId) ? await findSlackBot(deps.db, channelId) : undefined
  const sealedSecret = channel?.sealedSecret
  if (!channel || !sealedSecret) return { kind: 'unsigned' }
  const { organizationId, settings } = channel
  const { signingSecret } = readSlackSecret(deps.sealer.open(sealedSecret, channelSecretContext(channelId)))
  if (signingSecret === null) return { kind: 'unsigned' }
  const noted = { organizationId, channelId }
  if (!isSignedBySlack(request, { signingSecret, now: deps.clock.now() })) {
    await noteSlackRequest(deps.db, { ...noted, what: 'last_rejected_at' })
    return { kind: 'unsigned' }
  }
  const event = readSlackEvent(parse(request.body), { teamId: settings['teamId'] ?? '', botUserId: settings['botUserId'] ?? '' })
  await noteSlackRequest(deps.db, { ...noted, what: event.kind === 'foreign' ? 'last_foreign_at' : 'last_event_at' })
  if (event.kind === 'url_check') return event
  if (event.kind === 'question' && channel.state === 'enabled') {
    deps.slackQuestionThrottle.take(channelId)
    const question = { ...noted, id: newId(deps.random, 'sq'), question: event.question }
    await deps.db.transaction().execute((tx) => insertSlackQuestion(tx, question))
  }
  return { kind: 'accepted' }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    throw new Refusal('invalid_request', 'The body is not valid JSON.')
  }
}
