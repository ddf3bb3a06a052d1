import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { wakes } from '../wakeups.ts'
import { keepListedState } from './keep-listed-state.ts'

/** Renames a chat that this transaction has locked. */
export async function renameChat(tx: Tx, change: { chatId: string; title: string; now: Date }): Promise<void> {
  await keepListedState(tx, change)
  await sql`${wakes('chats')}
    update chats set title = ${change.title}, revision = revision + 1, updated_at = ${change.now}
    where id = ${change.chatId}`.execute(tx)
}
