import { type RawBuilder, sql } from 'kysely'
import type { KeyedRow, PageRead, PageRows } from '../model/page.ts'
import type { Db } from './db.ts'
import { snapshotOfPage } from './snapshot.ts'

/**
 * Reads one page of a list with one statement: the snapshot that it shows, even if it has no rows, and the rows that `selected` finds.
 * `order` sorts them by the columns of `listed`.
 */
export async function readSnapshotPage<Row extends object, Item>(
  db: Db,
  page: {
    from: PageRead['from']
    selected: RawBuilder<Row>
    order: RawBuilder<unknown>
    present(row: Row): KeyedRow<Item>
  },
): Promise<PageRows<Item> | 'snapshot_unknown'> {
  const { rows } = await sql<{ snapshot: string; isKnown: boolean; isListed: true | null } & Row>`
    select moment.snapshot, moment.is_known as "isKnown", listed.*
    from (${snapshotOfPage(page.from?.snapshot)}) as moment
    left join lateral (select true as "isListed", selected.* from (${page.selected}) as selected) as listed on true
    order by ${page.order}`.execute(db)
  const { snapshot, isKnown } = rows[0]!
  if (!isKnown) return 'snapshot_unknown'
  const listed = rows.flatMap(({ snapshot: _, isKnown: __, isListed, ...row }) => (isListed ? [row as unknown as Row] : []))
  return { snapshot, rows: listed.map((row) => page.present(row)) }
}

/** The order of lists whose rows have `createdAt` and `id`. */
export const newestFirst = sql`listed."createdAt" desc, listed.id desc`
