import { sql } from 'kysely'
import type { KnowledgeContent, KnowledgeItem, KnowledgeKind, TableDescriptionContent } from '../../model/knowledge.ts'
import type { Db, Tx } from '../db.ts'

/** The content of a kind of item. */
export type ContentOf<Kind extends KnowledgeKind> = Extract<KnowledgeContent, { kind: Kind }>

/** Locks the organization's knowledge against changes until the transaction ends. */
export async function lockKnowledge(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

/** Includes deleted items: their content is null. */
export async function findKnowledgeItem<Kind extends KnowledgeKind>(
  db: Db | Tx,
  key: { organizationId: string; kind: Kind; subject: string },
): Promise<KnowledgeItem<ContentOf<Kind>> | undefined> {
  const row = await select(db)
    .where('organization_id', '=', key.organizationId)
    .where('kind', '=', key.kind)
    .where('subject', '=', key.subject)
    .executeTakeFirst()
  return row && (present(row) as KnowledgeItem<ContentOf<Kind>>)
}

/** Includes deleted items: their content is null. */
export async function findKnowledgeItemById(
  db: Db | Tx,
  key: { organizationId: string; itemId: string },
): Promise<KnowledgeItem | undefined> {
  const row = await select(db)
    .where('organization_id', '=', key.organizationId)
    .where('knowledge_items.id', '=', key.itemId)
    .executeTakeFirst()
  return row && present(row)
}

/** An item that is not deleted. */
export type ExistingItem<Content extends KnowledgeContent> = KnowledgeItem<Content> & { content: Content }

/** All items of a kind, or those with the given subjects, without deleted ones. */
export async function listKnowledgeItems<Kind extends KnowledgeKind>(
  db: Db | Tx,
  of: { organizationId: string; kind: Kind; subjects?: string[] },
): Promise<ExistingItem<ContentOf<Kind>>[]> {
  const { subjects } = of
  const rows = await select(db)
    .where('organization_id', '=', of.organizationId)
    .where('kind', '=', of.kind)
    .where('content', 'is not', null)
    .$if(subjects !== undefined, (some) => some.where('subject', '=', sql<string>`any(${subjects}::text[])`))
    .orderBy('subject')
    .execute()
  return rows.map((row) => present(row) as ExistingItem<ContentOf<Kind>>)
}

/** The descriptions of the tables of one database. */
export async function listTableDescriptions(
  db: Db,
  of: { organizationId: string; databaseId: string },
): Promise<TableDescriptionContent[]> {
  const rows = await db
    .selectFrom('knowledge_items')
    .select('content')
    .where('organization_id', '=', of.organizationId)
    .where('kind', '=', 'table')
    .where(sql<boolean>`content ->> 'databaseId' = ${of.databaseId}`)
    .execute()
  return rows.map(({ content }) => content as TableDescriptionContent)
}

export async function countKnowledgeItems(
  tx: Tx,
  of: { organizationId: string; kind: KnowledgeKind },
): Promise<number> {
  const { count } = await tx
    .selectFrom('knowledge_items')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', of.organizationId)
    .where('kind', '=', of.kind)
    .where('content', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface NewVersion {
  id: string
  itemId: string
  organizationId: string
  kind: KnowledgeKind
  subject: string
  number: number
  content: KnowledgeContent | null
  /** What a metric is found by, as the text of a `tsvector`. */
  words: string | null
  restoredNumber: number | null
  changedBy: string
  changedAt: Date
}

/** Adds a version and makes it the item's current one. */
export async function insertKnowledgeVersion(tx: Tx, version: NewVersion): Promise<void> {
  const content = version.content && JSON.stringify(version.content)
  const { changedBy: changed_by, changedAt: changed_at, organizationId: organization_id } = version
  const current = { version: version.number, content, words: version.words, changed_by, changed_at }
  await tx
    .insertInto('knowledge_items')
    .values({ id: version.itemId, organization_id, kind: version.kind, subject: version.subject, ...current })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(current))
    .execute()
  await tx
    .insertInto('knowledge_versions')
    .values({
      id: version.id,
      organization_id,
      item_id: version.itemId,
      number: version.number,
      content,
      restored_number: version.restoredNumber,
      changed_by,
      changed_at,
    })
    .execute()
}

const select = (db: Db | Tx) =>
  db
    .selectFrom('knowledge_items')
    .innerJoin('users', 'users.id', 'knowledge_items.changed_by')
    .select([
      'knowledge_items.id',
      'organization_id',
      'subject',
      'version',
      'content',
      'changed_by',
      'changed_at',
      'users.name as changed_by_name',
    ])

function present(row: Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]): KnowledgeItem {
  return {
    id: row.id,
    organizationId: row.organization_id,
    subject: row.subject,
    version: row.version,
    content: row.content,
    changedBy: { id: row.changed_by, name: row.changed_by_name },
    changedAt: row.changed_at,
  }
}
