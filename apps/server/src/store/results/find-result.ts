import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import type { ResultPlace } from './begin-and-finish.ts'
import { asText, fromTexts, piecesAtOnce } from './pieces.ts'

export interface FoundResult {
  place: ResultPlace
  sizeBytes: number
  /** Its first bytes if they are in this database, or all of them if it is small, so most results take one statement. */
  beginning: Buffer | null
}

/** Finds a result that is complete and not removed. */
export async function findResult(db: Db, runId: string): Promise<FoundResult | undefined> {
  const { rows } = await sql<{ place: ResultPlace; size_bytes: number; bytes: string | null }>`${prepared}
    select place, size_bytes, ${asText('bytes')} as bytes
    from results left join result_pieces as piece on piece.run_id = results.run_id and piece.number < ${piecesAtOnce}
    where results.run_id = ${runId} and written_at is not null and removed_at is null
    order by piece.number`.execute(db)
  if (rows.length === 0) return undefined
  const { place, size_bytes: sizeBytes } = rows[0]!
  const isHere = place === 'postgres' || place === 'postgres_zstd'
  const beginning = isHere ? fromTexts(rows.flatMap(({ bytes }) => bytes ?? [])) : null
  return { place, sizeBytes, beginning }
}
