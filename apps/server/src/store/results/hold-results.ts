import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

/** Says until when the bytes of results are needed. Never takes back what another has said. */
export async function holdResults(db: Db, options: { runIds: string[]; until: Date }): Promise<void> {
  await sql`${prepared}
    update results set held_until = ${options.until}
    where run_id = any(${options.runIds}) and held_until < ${options.until}`.execute(db)
}
