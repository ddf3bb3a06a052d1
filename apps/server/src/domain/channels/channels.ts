import { type Channel, channelLimits, type ChannelKind, type ChannelState, type Conversation, type SealedChannel } from '../../model/channel.ts'
import type { Caller } from '../../model/caller.ts'
import { abortAfter, type Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import {
  automationsOfChannel,
  deleteChannel as deleteRow,
  findChannel,
  forgetChannelOfDeletedReports,
  insertChannel,
  lockChannel,
  readChannels,
  updateChannel,
} from '../../store/channels/channels-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { isId, newId } from '../ids.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import type { Throttle } from '../throttle.ts'
import { channelSecretContext } from './channel-secret.ts'
import type { ChannelDefinition, ChannelInput, ChannelRegistry } from './channel-registry.ts'

export interface ChannelsDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
  channels: ChannelRegistry
}

export interface NewChannelInput extends ChannelInput {
  kind: ChannelKind
  name: string
}

export interface ChannelChange extends ChannelInput {
  name?: string
  state?: ChannelState
}

/** Oldest first, without secrets. All members choose from them. */
export async function listChannels(
  deps: Pick<ChannelsDeps, 'db' | 'channels'>,
  { organizationId }: Caller,
): Promise<{ channels: Channel[]; kinds: ChannelKind[]; isEmailEnabled: boolean }> {
  return {
    channels: await readChannels(deps.db, organizationId),
    kinds: Object.values(deps.channels.kinds).map(({ kind }) => kind),
    isEmailEnabled: deps.channels.email !== null,
  }
}

export async function createChannel(deps: ChannelsDeps, caller: Caller, input: NewChannelInput): Promise<Channel> {
  requireAdmin(caller)
  const { organizationId, userId } = caller
  const name = checkChannelName(input.name)
  const definition = requireKind(deps, input.kind)
  const { settings, secret } = await definition.check(input, caller)
  const id = newId(deps.random, 'chn')
  const now = deps.clock.now()
  const channel: SealedChannel = {
    id,
    organizationId,
    kind: input.kind,
    name,
    settings,
    sealedSecret: sealed(deps, id, secret),
    state: 'enabled',
    disabledReason: null,
    failureCount: 0,
    lastUsedAt: null,
    createdBy: userId,
    createdAt: now,
    updatedAt: now,
  }
  await deps.db.transaction().execute(async (tx) => {
    const isInserted = await insertChannel(tx, channel, { countMax: channelLimits.channels })
    if (!isInserted) throw badInput('/name', `cannot be added: your organization has ${channelLimits.channels} channels, the maximum`)
    const details = { kind: channel.kind, settings }
    await recordAction({ ...deps, tx }, caller, { action: 'channel.created', subject: subjectOf(channel), details })
  })
  return withoutSecret(channel)
}

/** Omitted fields stay as they are. A new secret is checked together with the settings. Enabling forgets earlier failures. */
export async function editChannel(deps: ChannelsDeps, caller: Caller, channelId: string, input: ChannelChange): Promise<Channel> {
  requireAdmin(caller)
  const name = input.name === undefined ? undefined : checkChannelName(input.name)
  const known = await getSealed(deps.db, caller, channelId)
  const isNewAccess = input.settings !== undefined || input.secret !== undefined
  const stored = openedSecret(deps, known)
  const checked = isNewAccess ? await requireKind(deps, known.kind).check(completed(deps, { ...known, secret: stored }, input), caller) : undefined
  const isSecretReplaced = input.secret !== undefined || (checked !== undefined && checked.secret !== stored)
  return deps.db.transaction().execute(async (tx) => {
    const before = await lockChannel(tx, { organizationId: caller.organizationId, channelId })
    if (!before) throw noSuchChannel(channelId)
    const isEnabledNow = input.state === 'enabled' && before.state === 'disabled'
    const isDisabledNow = input.state === 'disabled' && before.state === 'enabled'
    const now = deps.clock.now()
    const after: SealedChannel = {
      ...before,
      ...(name !== undefined && { name }),
      ...(checked && { settings: checked.settings, sealedSecret: sealed(deps, channelId, checked.secret) }),
      ...(isEnabledNow && { state: 'enabled', disabledReason: null, failureCount: 0 }),
      ...(isDisabledNow && { state: 'disabled', disabledReason: 'Disabled by an admin.' }),
      updatedAt: now,
    }
    await updateChannel(tx, channelId, { ...after, now })
    const subject = subjectOf(before)
    const changes = changesOf(
      { name: before.name, settings: before.settings, access: 'unchanged' },
      { name: after.name, settings: after.settings, access: isSecretReplaced ? 'replaced' : 'unchanged' },
    )
    await recordChange({ ...deps, tx }, caller, { action: 'channel.changed', subject, details: { changes } })
    if (isEnabledNow) await recordAction({ ...deps, tx }, caller, { action: 'channel.enabled', subject })
    if (isDisabledNow) await recordAction({ ...deps, tx }, caller, { action: 'channel.disabled', subject })
    return withoutSecret(after)
  })
}

export async function deleteChannel(deps: ChannelsDeps, caller: Caller, channelId: string): Promise<void> {
  requireAdmin(caller)
  if (!isId(channelId)) throw noSuchChannel(channelId)
  await deps.db.transaction().execute(async (tx) => {
    const channel = await lockChannel(tx, { organizationId: caller.organizationId, channelId })
    if (!channel) throw noSuchChannel(channelId)
    const automations = await automationsOfChannel(tx, channelId)
    if (automations.length > 0) {
      const names = automations.slice(0, 3).map((name) => `“${name}”`).join(', ')
      throw new Refusal('channel_in_use', `Reports of ${names} are sent to this channel. Remove it from them first.`)
    }
    await forgetChannelOfDeletedReports(tx, channelId)
    await deleteRow(tx, channelId)
    await recordAction({ ...deps, tx }, caller, { action: 'channel.deleted', subject: subjectOf(channel) })
  })
}

const conversationsDeadlineMs = 20_000

/** The places within a channel that a report can go to; none for kinds without a choice. */
export async function listConversations(
  deps: ChannelsDeps & { connectionThrottle: Throttle },
  caller: Caller,
  channelId: string,
): Promise<Conversation[]> {
  const { definition, secret } = await openChannel(deps, caller, channelId)
  if (!definition.listConversations) return []
  deps.connectionThrottle.take(caller.userId)
  const deadline = abortAfter(deps.clock, conversationsDeadlineMs)
  try {
    return await definition.listConversations(secret, deadline.signal)
  } finally {
    deadline.cancel()
  }
}

/** A channel with everything that is needed to send to it. */
export async function openChannel(deps: ChannelsDeps, caller: Caller, channelId: string) {
  const channel = await getSealed(deps.db, caller, channelId)
  return { channel: withoutSecret(channel), definition: requireKind(deps, channel.kind), secret: openedSecret(deps, channel) }
}

export async function requireChannel(db: Db | Tx, caller: Caller, channelId: string): Promise<Channel> {
  return withoutSecret(await getSealed(db, caller, channelId))
}

async function getSealed(db: Db | Tx, { organizationId }: Caller, channelId: string): Promise<SealedChannel> {
  const channel = isId(channelId) ? await findChannel(db, { organizationId, channelId }) : undefined
  if (!channel) throw noSuchChannel(channelId)
  return channel
}

function requireKind({ channels }: Pick<ChannelsDeps, 'channels'>, kind: ChannelKind): ChannelDefinition {
  const definition = channels.kinds[kind]
  if (!definition) throw badInput('/kind', `is not supported by this service: ${kind}`)
  return definition
}

/** What was not entered again is taken from the stored channel, so that the whole can be checked. */
function completed(deps: ChannelsDeps, known: Channel & { secret: string | null }, input: ChannelChange): ChannelInput {
  const entered = known.secret === null ? {} : (requireKind(deps, known.kind).entered?.(known.secret) ?? { secret: known.secret })
  const secret = input.secret ?? entered.secret
  return { settings: { ...entered.settings, ...(input.settings ?? known.settings) }, ...(secret !== undefined && { secret }) }
}

const openedSecret = ({ sealer }: Pick<ChannelsDeps, 'sealer'>, { id, sealedSecret }: SealedChannel) =>
  sealedSecret && sealer.open(sealedSecret, channelSecretContext(id))

const sealed = ({ sealer }: Pick<ChannelsDeps, 'sealer'>, channelId: string, secret: string | null) =>
  secret === null ? null : sealer.seal(secret, channelSecretContext(channelId))

const checkChannelName = (text: string) => checkText({ path: '/name', text, maxCharacters: channelLimits.nameCharacters })

const withoutSecret = ({ sealedSecret: _, ...channel }: SealedChannel): Channel => channel

const subjectOf = ({ id, name }: Channel) => ({ type: 'channel', id, name }) as const

export const noSuchChannel = (channelId: string) =>
  new Refusal('channel_not_found', `There is no channel ${JSON.stringify(channelId.slice(0, 100))}. It may have been deleted.`)
