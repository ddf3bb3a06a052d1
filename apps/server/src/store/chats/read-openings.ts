import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'

export interface OpeningRow {
  number: number
  kind: 'instruction' | 'question'
  /** As stored with the question: undefined if nothing is stored. */
  follows: number | null | undefined
}

/** The questions and instructions of a chat, in order, without reading its other messages. */
export async function readOpenings(db: Db | Tx, chatId: string): Promise<OpeningRow[]> {
  const { rows } = await sql<{ number: number; kind: OpeningRow['kind']; isStored: boolean; follows: number | null }>`${prepared}
    select number, kind, content ? 'follows' as "isStored", (content ->> 'follows')::integer as follows
    from chat_messages
    where chat_id = ${chatId} and kind in ('instruction', 'question')
    order by number`.execute(db)
  return rows.map(({ number, kind, isStored, follows }) => ({ number, kind, follows: isStored ? follows : undefined }))
}
