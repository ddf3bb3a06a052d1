import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import type { ResultPlace } from './begin-and-finish.ts'
import { asText, fromTexts, piecesAtOnce } from './pieces.ts'

export interface FoundResult {
  place: ResultPlace
  sizeBytes: number
  /** Its first bytes where they are in this database, all of them where it is small: most results are one statement. */
  beginning: Buffer | null
}

/** A result that is whole and not removed. */
export async function findResult(db: Db, runId: string): Promise<FoundResult | undefined> {
  const { rows } = await sql<{ place: ResultPlace; size_bytes: number; bytes: string | null }>`${prepared}
    select place, size_bytes, ${asText('bytes')} as bytes
    from results left join result_pieces as piece on piece.run_id = results.run_id and piece.number < ${piecesAtOnce}
    where results.run_id = ${runId} and written_at is not null and removed_at is null
    order by piece.number`.execute(db)
  if (rows.length === 0) return undefined
  const { place, size_bytes: sizeBytes } = rows[0]!
  const beginning = place === 'postgres' ? fromTexts(rows.flatMap(({ bytes }) => bytes ?? [])) : null
  return { place, sizeBytes, beginning }
}
