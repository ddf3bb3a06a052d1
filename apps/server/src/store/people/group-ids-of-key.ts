import { sql } from 'kysely'

/** The groups of a row of api_keys, without those that were deleted. Null if the key belongs to none. */
export const groupIdsOfKey = sql<string[] | null>`case when api_keys.group_ids is not null then array(
  select groups.id from groups
  where groups.id = any (api_keys.group_ids) and groups.organization_id = api_keys.organization_id order by groups.id) end`
