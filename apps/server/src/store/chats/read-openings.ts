import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'

export interface OpeningRow {
  number: number
  /** As stored with the question: undefined if nothing is stored. */
  follows: number | null | undefined
}

/** The newest questions and instructions of a chat, in order, without reading its other messages. */
export async function readOpenings(db: Db | Tx, { chatId, count }: { chatId: string; count: number }): Promise<OpeningRow[]> {
  const { rows } = await sql<{ number: number; isStored: boolean; follows: number | null }>`${prepared}
    select number, content ? 'follows' as "isStored", (content ->> 'follows')::integer as follows
    from chat_messages
    where chat_id = ${chatId} and kind in ('instruction', 'question')
    order by number desc
    limit ${count}`.execute(db)
  return rows.toReversed().map(({ number, isStored, follows }) => ({ number, follows: isStored ? follows : undefined }))
}

/** Whether the chat begins with the instructions of an automation rather than with a question. */
export async function isOpenedByInstruction(db: Db | Tx, chatId: string): Promise<boolean> {
  const { rows } = await sql<{ kind: string }>`
    select kind from chat_messages
    where chat_id = ${chatId} and kind in ('instruction', 'question')
    order by number
    limit 1`.execute(db)
  return rows[0]?.kind === 'instruction'
}
