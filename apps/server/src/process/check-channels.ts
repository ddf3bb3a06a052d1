import { channelSecretContext } from '../domain/channels/channel-secret.ts'
import { callSlack } from '../domain/channels/slack/slack-api.ts'
import { readSlackSecret } from '../domain/channels/slack/slack-secret.ts'
import { makeSealer, type Sealer } from '../domain/sealing.ts'
import type { ChannelKind, SealedChannel } from '../model/channel.ts'
import type { Clock } from '../ports/clock.ts'
import { secureRandom } from '../ports/random.ts'
import { listSealedChannels } from '../store/channels/channels-table.ts'
import type { Db } from '../store/db.ts'
import { listOrganizationIds } from '../store/people/organizations-table.ts'

export interface CheckedChannel {
  name: string
  kind: ChannelKind
  state:
    | { kind: 'works' }
    /** Its receiver can only be asked by sending something. */
    | { kind: 'not_asked'; failureCount: number }
    | { kind: 'disabled'; reason: string | null }
    | { kind: 'secret_unreadable' }
    | { kind: 'refused'; detail: string }
}

interface CheckOptions {
  db: Db
  secretKey: Uint8Array
  slackApiUrl: string
  clock: Clock
  fetch: typeof globalThis.fetch
  signal: AbortSignal
}

/** Checks the channels of all organizations without sending anything. Only Slack's API can be asked whether a token is valid. */
export async function checkChannels(options: CheckOptions): Promise<CheckedChannel[]> {
  const sealer = makeSealer({ secretKey: options.secretKey, random: secureRandom })
  const organizationIds = await listOrganizationIds(options.db)
  const channels = (await Promise.all(organizationIds.map((id) => listSealedChannels(options.db, id)))).flat()
  return Promise.all(
    channels.map(async (channel) => {
      const { name, kind } = channel
      return { name, kind, state: await stateOf(options, sealer, channel) }
    }),
  )
}

async function stateOf(options: CheckOptions, sealer: Sealer, channel: SealedChannel): Promise<CheckedChannel['state']> {
  if (channel.state === 'disabled') return { kind: 'disabled', reason: channel.disabledReason }
  const secret = openSecret(sealer, channel)
  if (secret === undefined) return { kind: 'secret_unreadable' }
  if (channel.kind !== 'slack_bot' || secret === null) return { kind: 'not_asked', failureCount: channel.failureCount }
  const { token } = readSlackSecret(secret)
  const answer = await callSlack({ ...options, guardedFetch: options.fetch }, { token, method: 'auth.test', args: {} }, options.signal)
  return answer.ok ? { kind: 'works' } : { kind: 'refused', detail: answer.outcome.detail }
}

/** Undefined if it can't be decrypted; null for a channel without a secret. */
function openSecret(sealer: Sealer, { id, sealedSecret }: SealedChannel): string | null | undefined {
  if (sealedSecret === null) return null
  try {
    return sealer.open(sealedSecret, channelSecretContext(id))
  } catch {
    return undefined
  }
}
