import type { ManagedItem, ManagedKey, ManagedKind } from '../../model/managed-item.ts'
import type { Db, Tx } from '../db.ts'

export async function findManagedUrl(db: Db | Tx, key: ManagedKey & { organizationId: string }): Promise<string | undefined> {
  const row = await db
    .selectFrom('managed_items')
    .select('url')
    .where('organization_id', '=', key.organizationId)
    .where('kind', '=', key.kind)
    .where('item_id', '=', key.id)
    .executeTakeFirst()
  return row?.url
}

/** All, or those of one kind, or only some of these. */
export async function listManagedItems(
  db: Db | Tx,
  { organizationId, kind, ids }: { organizationId: string; kind?: ManagedKind; ids?: string[] },
): Promise<ManagedItem[]> {
  return db
    .selectFrom('managed_items')
    .select(['kind', 'item_id as id', 'url'])
    .where('organization_id', '=', organizationId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .$if(ids !== undefined, (query) => query.where('item_id', 'in', ids!))
    .execute()
}

const batchSize = 1_000

/** Also changes the links of items that are managed already. */
export async function putManagedItems(tx: Tx, organizationId: string, items: ManagedItem[]): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    const rows = items.slice(start, start + batchSize).map(({ kind, id, url }) => ({ organization_id: organizationId, kind, item_id: id, url }))
    await tx
      .insertInto('managed_items')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['organization_id', 'kind', 'item_id']).doUpdateSet((set) => ({ url: set.ref('excluded.url') })))
      .execute()
  }
}

export async function deleteManagedItems(tx: Tx, organizationId: string, items: ManagedKey[]): Promise<void> {
  for (const [kind, some] of Map.groupBy(items, (item) => item.kind)) {
    await tx
      .deleteFrom('managed_items')
      .where('organization_id', '=', organizationId)
      .where('kind', '=', kind)
      .where('item_id', 'in', some.map(({ id }) => id))
      .execute()
  }
}
