import { type RawBuilder, sql } from 'kysely'
import type { AutomationInFull } from '../../model/automation.ts'
import type { PageRead, PageRows } from '../../model/page.ts'
import type { Db } from '../db.ts'
import { newestFirst, readSnapshotPage } from '../snapshot-page.ts'
import { visibleIn } from '../snapshot.ts'
import { type AutomationRow, automationFields, latestRunOf, presentRow, referencesOf } from './automation-row.ts'

/**
 * One page of an organization's automations, newest first, as of one snapshot: also those deleted since, and each with the settings,
 * state, references and latest run that it had.
 *
 * A later page reads the former part of an automation if the change that replaced it is not visible in the snapshot. Of several, the
 * oldest is the one that the snapshot saw. Both scans follow an index in the list's order and end at the limit.
 */
export async function readPublishedAutomationsPage(db: Db, page: PageRead): Promise<PageRows<AutomationInFull> | 'snapshot_unknown'> {
  const { from } = page
  return readSnapshotPage(db, {
    from,
    selected: from ? laterPage(page, from) : firstPage(page),
    order: newestFirst,
    present: (row) => ({ item: presentRow(row), key: { createdAt: row.createdAtText, id: row.id } }),
  })
}

const firstPage = (page: PageRead) => sql<AutomationRow>`
  select ${automationFields}, ${referencesOf(sql`automation.id`)} as "references"
  from automations as automation
  left join lateral (${latestRunOf(sql`automation.id`)}) as run on true
  where automation.organization_id = ${page.organizationId} and automation.deleted_at is null
  order by automation.created_at desc, automation.id desc
  limit ${page.count}`

const laterPage = (page: PageRead, { snapshot, after }: NonNullable<PageRead['from']>) => sql<AutomationRow>`
  select ${automationFields}, ${referencesSeenIn(snapshot)} as "references"
  from automations as live
  left join lateral (${formerPart(snapshot, sql`live.id`, 'settings')}) as settings on true
  left join lateral (${formerPart(snapshot, sql`live.id`, 'state')}) as state on true
  cross join lateral jsonb_populate_record(live, coalesce(settings.former, '{}') || coalesce(state.former - 'watched_reference_id', '{}')) as automation
  left join lateral (${runSeenIn(snapshot)}) as run on true
  where live.organization_id = ${page.organizationId}
    and (live.created_at, live.id) < (${after.createdAt}::timestamptz, ${after.id})
    and (live.created_xid is null or ${visibleIn(snapshot, sql`live.created_xid`)})
    and automation.deleted_at is null
  order by live.created_at desc, live.id desc
  limit ${page.count}`

/** The first state after the newest one that the snapshot saw replaced. So only changes since the snapshot are passed over. */
const formerPart = (snapshot: string, subjectId: RawBuilder<unknown>, part: 'settings' | 'state' | 'run') => {
  const isOfPart = sql`subject_id = ${subjectId} and part = ${sql.lit(part)}`
  return sql`
  select former from automation_history
  where ${isOfPart} and number > coalesce((
    select number from automation_history
    where ${isOfPart} and ${visibleIn(snapshot, sql`replaced_xid`)}
    order by number desc
    limit 1), -1)
  order by number
  limit 1`
}

/** A reference in the trash has left it if it was restored; otherwise it waits to be removed. */
const referencesSeenIn = (snapshot: string) => sql`array(
    select reference.short_id
    from (
      select reference_id, position from automation_references where automation_id = live.id and settings.former is null
      union all
      select reference_id, position from jsonb_array_elements_text(settings.former -> 'reference_ids') with ordinality as named (reference_id, position)
    ) as named
    join query_references as reference on reference.id = named.reference_id
    where not exists (
      select from deleted_items as deleted
      where deleted.kind = 'reference' and deleted.item_id = reference.id and ${visibleIn(snapshot, sql`deleted.deleted_xid`)}
        and (deleted.left_xid is null or deleted.is_removed or not ${visibleIn(snapshot, sql`deleted.left_xid`)}))
    order by named.position)`

/** The run and its chat are inserted by one transaction. */
const runSeenIn = (snapshot: string) => sql`
    select found.id, coalesce(earlier.former ->> 'status', found.status) as status, earlier.former is null and found.is_stopped as is_stopped,
      found.requested_at, case when earlier.former is null then found.ended_at end as ended_at, found.short_id
    from (
      (${latestRunOf(sql`live.id`, sql`(chats.created_xid is null or ${visibleIn(snapshot, sql`chats.created_xid`)})`)})
      union all
      select subject_id, removed.status, removed.is_stopped, removed.requested_at, removed.ended_at, removed.short_id
      from automation_history
      cross join lateral jsonb_to_record(former)
        as removed (status text, is_stopped boolean, requested_at timestamptz, ended_at timestamptz, short_id text, created_xid text)
      where automation_id = live.id and part = 'removed run' and not ${visibleIn(snapshot, sql`replaced_xid`)}
        and (removed.created_xid is null or ${visibleIn(snapshot, sql`removed.created_xid::xid8`)})
    ) as found
    left join lateral (${formerPart(snapshot, sql`found.id`, 'run')}) as earlier on true
    order by found.requested_at desc, found.id desc
    limit 1`
