import type { SealedChannel } from '../../model/channel.ts'
import type { Db } from '../db.ts'

/** A Slack bot by its id alone, for requests of Slack: their signature shows the organization. */
export async function findSlackBot(
  db: Db,
  channelId: string,
): Promise<Pick<SealedChannel, 'organizationId' | 'settings' | 'sealedSecret' | 'state'> | undefined> {
  return db
    .selectFrom('channels')
    .select(['organization_id as organizationId', 'settings', 'sealed_secret as sealedSecret', 'state'])
    .where('id', '=', channelId)
    .where('kind', '=', 'slack_bot')
    .executeTakeFirst()
}
