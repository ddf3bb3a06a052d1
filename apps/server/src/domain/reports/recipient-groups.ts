import type { Caller } from '../../model/caller.ts'
import { readGroups } from '../../store/access/groups-table.ts'
import type { Db } from '../../store/db.ts'

export interface RecipientGroup {
  id: string
  name: string
  memberCount: number
}

/** The groups that a report can be sent to, for all members. What a group may see stays with admins. */
export async function listRecipientGroups({ db }: { db: Db }, { organizationId }: Caller): Promise<RecipientGroup[]> {
  return (await readGroups(db, organizationId)).map(({ id, name, memberIds }) => ({ id, name, memberCount: memberIds.length }))
}
