import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** How many of the newest are searched. Their titles are short, so ranking them in the process costs less than an index for each kind. */
const newestMax = 1_000
/** How many of the newest chats are read. Each question of an evaluation makes a hidden one, so these can be most of them. */
const scannedChatsMax = 5_000

export interface TitledRow {
  id: string
  title: string
  description: string | null
}

/** Boards, newest first, with the beginning of their description. */
export const readBoardTitles = (db: Db, organizationId: string): Promise<TitledRow[]> =>
  read(
    db,
    sql`select short_id as id, title, left(description, 500) as description from boards
      where organization_id = ${organizationId} and deleted_at is null`,
  )

/** Automations, newest first, with the beginning of their instructions. */
export const readAutomationTitles = (db: Db, organizationId: string): Promise<TitledRow[]> =>
  read(
    db,
    sql`select id, name as title, left(instructions, 500) as description from automations
      where organization_id = ${organizationId} and deleted_at is null`,
  )

/** Chats, newest first, without those that lists hide. */
export const readChatTitles = (db: Db, organizationId: string): Promise<TitledRow[]> =>
  read(
    db,
    sql`select short_id as id, title, null::text as description
      from (
        select * from chats where organization_id = ${organizationId} order by created_at desc, id desc limit ${scannedChatsMax}
      ) as newest
      where deleted_at is null and not is_hidden`,
  )

async function read(db: Db, rows: ReturnType<typeof sql>): Promise<TitledRow[]> {
  const found = await sql<TitledRow>`${rows} order by created_at desc, id desc limit ${newestMax}`.execute(db)
  return found.rows
}
