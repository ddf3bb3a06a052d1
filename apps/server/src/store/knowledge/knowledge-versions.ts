import { sql } from 'kysely'
import type { KnowledgeContent, KnowledgeVersion } from '../../model/knowledge.ts'
import type { ItemKey, KeyedRow } from '../../model/page.ts'
import type { Db } from '../db.ts'
import { exactText } from '../snapshot.ts'

interface Row {
  id: string
  item_id: string
  number: number
  content: KnowledgeContent | null
  before: KnowledgeContent | null
  restored_number: number | null
  changed_by: string
  changed_by_name: string
  changed_at: Date
  changed_at_text: string
  is_current: boolean
}

/** Versions of all items, newest first. */
export async function readKnowledgeHistory(
  db: Db,
  page: { organizationId: string; after?: ItemKey; count: number },
): Promise<KeyedRow<KnowledgeVersion>[]> {
  const { after } = page
  const { rows } = await sql<Row>`
    select version.id, version.item_id, version.number, version.content, version.restored_number, version.changed_by,
      version.changed_at, ${exactText(sql`version.changed_at`)} as changed_at_text,
      (select name from users where users.id = version.changed_by) as changed_by_name,
      (select content from knowledge_versions as earlier
       where earlier.item_id = version.item_id and earlier.number = version.number - 1) as before,
      (select item.version from knowledge_items as item where item.id = version.item_id) = version.number as is_current
    from (
      select * from knowledge_versions
      where organization_id = ${page.organizationId}
        ${after ? sql`and (changed_at, id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
      order by changed_at desc, id desc
      limit ${page.count}) as version
    order by version.changed_at desc, version.id desc`.execute(db)
  return rows.map((row) => ({ item: present(row), key: { createdAt: row.changed_at_text, id: row.id } }))
}

/** The content of one version; undefined if there is no such version. */
export async function findKnowledgeVersion(
  db: Db,
  key: { organizationId: string; itemId: string; number: number },
): Promise<{ content: KnowledgeContent | null } | undefined> {
  return db
    .selectFrom('knowledge_versions')
    .select('content')
    .where('organization_id', '=', key.organizationId)
    .where('item_id', '=', key.itemId)
    .where('number', '=', key.number)
    .executeTakeFirst()
}

const present = (row: Row): KnowledgeVersion => ({
  id: row.id,
  itemId: row.item_id,
  number: row.number,
  content: row.content,
  before: row.before,
  changedBy: { id: row.changed_by, name: row.changed_by_name },
  changedAt: row.changed_at,
  restoredNumber: row.restored_number,
  isCurrent: row.is_current,
})
