import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'

/** A database with the sample shop. Days are in UTC, such as `2025-12-31`. */
export interface SampleShop {
  organizationId: string
  databaseId: string
  firstStartOn: string
  lastDay: string
}

export async function insertSampleShop(tx: Tx, shop: SampleShop): Promise<void> {
  await tx
    .insertInto('sample_shops')
    .values({
      organization_id: shop.organizationId,
      database_id: shop.databaseId,
      first_start_on: shop.firstStartOn,
      last_day: shop.lastDay,
    })
    .execute()
}

/** The shops of databases that still exist and whose last day is before the given one. */
export async function readShopsEndingBefore(db: Db, day: string): Promise<SampleShop[]> {
  return db
    .selectFrom('sample_shops as shop')
    .innerJoin('analytical_database_configs as database', (join) =>
      join.onRef('database.id', '=', 'shop.database_id').onRef('database.organization_id', '=', 'shop.organization_id'),
    )
    .where('database.deleted_at', 'is', null)
    .where(sql<boolean>`shop.last_day < ${day}::date`)
    .select([
      'shop.organization_id as organizationId',
      'shop.database_id as databaseId',
      sql<string>`to_char(shop.first_start_on, 'YYYY-MM-DD')`.as('firstStartOn'),
      sql<string>`to_char(shop.last_day, 'YYYY-MM-DD')`.as('lastDay'),
    ])
    .orderBy('shop.database_id')
    .execute()
}

/** Never moves the last day back. */
export async function setLastDay(tx: Tx, shop: SampleShop): Promise<void> {
  await tx
    .updateTable('sample_shops')
    .where('organization_id', '=', shop.organizationId)
    .where('database_id', '=', shop.databaseId)
    .where(sql<boolean>`last_day < ${shop.lastDay}::date`)
    .set({ last_day: shop.lastDay })
    .execute()
}

/** From now on the shop is not extended. */
export async function removeSampleShop(db: Db, shop: Pick<SampleShop, 'organizationId' | 'databaseId'>): Promise<void> {
  await db
    .deleteFrom('sample_shops')
    .where('organization_id', '=', shop.organizationId)
    .where('database_id', '=', shop.databaseId)
    .execute()
}
