import type { Channel, SealedChannel } from '../../model/channel.ts'
import type { Db, Tx } from '../db.ts'

export interface ChannelKey {
  organizationId: string
  channelId: string
}

/** Oldest first. */
export async function readChannels(db: Db, organizationId: string): Promise<Channel[]> {
  const rows = await listSealedChannels(db, organizationId)
  return rows.map(({ sealedSecret: _, ...channel }) => channel)
}

/** With their secrets. Oldest first. */
export async function listSealedChannels(db: Db, organizationId: string): Promise<SealedChannel[]> {
  return select(db).where('organization_id', '=', organizationId).orderBy('created_at').orderBy('id').execute()
}

export async function findChannel(db: Db | Tx, key: ChannelKey): Promise<SealedChannel | undefined> {
  return one(db, key).executeTakeFirst()
}

/** Locks it against changes until the transaction ends, but not against new reports that refer to it. */
export async function lockChannel(tx: Tx, key: ChannelKey): Promise<SealedChannel | undefined> {
  return one(tx, key).forNoKeyUpdate().executeTakeFirst()
}

/** False if the organization already has `countMax` channels. Locks its row, so that concurrent inserts cannot exceed the limit. */
export async function insertChannel(tx: Tx, channel: SealedChannel, options: { countMax: number }): Promise<boolean> {
  const { organizationId } = channel
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('channels')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (count >= options.countMax) return false
  await tx
    .insertInto('channels')
    .values({
      id: channel.id,
      organization_id: organizationId,
      kind: channel.kind,
      name: channel.name,
      settings: JSON.stringify(channel.settings),
      sealed_secret: channel.sealedSecret,
      created_by: channel.createdBy,
      created_at: channel.createdAt,
      updated_at: channel.updatedAt,
    })
    .execute()
  return true
}

export async function updateChannel(
  tx: Tx,
  channelId: string,
  { now, ...channel }: Pick<SealedChannel, 'name' | 'settings' | 'sealedSecret' | 'state' | 'disabledReason' | 'failureCount'> & { now: Date },
): Promise<void> {
  await tx
    .updateTable('channels')
    .set({
      name: channel.name,
      settings: JSON.stringify(channel.settings),
      sealed_secret: channel.sealedSecret,
      state: channel.state,
      disabled_reason: channel.disabledReason,
      failure_count: channel.failureCount,
      updated_at: now,
    })
    .where('id', '=', channelId)
    .execute()
}

/** Notes that a delivery succeeded. Concurrent ones need not wait for each other, so the time is written at most once a minute. */
export async function noteChannelUse(tx: Tx, { channelId, now }: { channelId: string; now: Date }): Promise<void> {
  await tx
    .updateTable('channels')
    .set({ failure_count: 0, last_used_at: now })
    .where('id', '=', channelId)
    .where(({ eb, or }) =>
      or([eb('failure_count', '>', 0), eb('last_used_at', 'is', null), eb('last_used_at', '<', new Date(now.getTime() - 60_000))]),
    )
    .execute()
}

export async function deleteChannel(tx: Tx, channelId: string): Promise<void> {
  await tx.deleteFrom('channels').where('id', '=', channelId).execute()
}

/** The names of the automations whose reports go to the channel. */
export async function automationsOfChannel(tx: Tx, channelId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('reports')
    .innerJoin('automations', 'automations.id', 'reports.automation_id')
    .select('automations.name')
    .distinct()
    .where('reports.channel_id', '=', channelId)
    .where('reports.deleted_at', 'is', null)
    .where('automations.deleted_at', 'is', null)
    .orderBy('automations.name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Reports that were deleted, alone or with their automation, no longer keep the channel from being deleted. */
export async function forgetChannelOfDeletedReports(tx: Tx, channelId: string): Promise<void> {
  await tx.updateTable('reports').set({ channel_id: null }).where('channel_id', '=', channelId).execute()
}

const one = (db: Db | Tx, { organizationId, channelId }: ChannelKey) =>
  select(db).where('organization_id', '=', organizationId).where('id', '=', channelId)

const select = (db: Db | Tx) =>
  db
    .selectFrom('channels')
    .select([
      'id',
      'organization_id as organizationId',
      'kind',
      'name',
      'settings',
      'sealed_secret as sealedSecret',
      'state',
      'disabled_reason as disabledReason',
      'failure_count as failureCount',
      'last_used_at as lastUsedAt',
      'created_by as createdBy',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ])
