import { PGliteAdapter, type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

/** All pieces of a result but the last have this size, so that a byte's offset determines its piece. */
const pieceBytes = 256 * 1024
/** Pieces per statement: a megabyte at a time in memory, and four times fewer round trips. */
export const piecesAtOnce = 4
/** 16 MiB per statement, so that removing them never blocks others for long. */
const piecesRemovedAtOnce = 64

/** How much one statement writes or reads. */
export const rangeBytes = pieceBytes * piecesAtOnce

/**
 * The pieces as rows of a `values` list. Each piece is a parameter, which a server receives as binary. The embedded store would
 * encode it byte by byte in JavaScript, a second per megabyte; base64 takes a tenth of that.
 */
export function pieceRows(db: Db, options: { runId: string; offset: number; bytes: Buffer }): RawBuilder<unknown> {
  const { runId, offset, bytes } = options
  const isEmbedded = db.getExecutor().adapter instanceof PGliteAdapter
  const count = Math.ceil(bytes.length / pieceBytes)
  const rows = Array.from({ length: count }, (_, index) => {
    const piece = bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes)
    const value = isEmbedded ? sql`decode(${piece.toString('base64')}::text, 'base64')` : sql`${piece}::bytea`
    return sql`(${runId}::text, ${offset / pieceBytes + index}::integer, ${value})`
  })
  return sql.join(rows)
}

/** Inserts a range of a result. Fails if the result was abandoned, because its pieces need the ledger row. */
export async function insertPieces(db: Db, options: { runId: string; offset: number; bytes: Buffer }): Promise<void> {
  await sql`insert into result_pieces (run_id, number, bytes) values ${pieceRows(db, options)}`.execute(db)
}

export async function readPieces(db: Db, options: { runId: string; offset: number }): Promise<Buffer | undefined> {
  const firstNumber = options.offset / pieceBytes
  const { rows } = await sql<{ bytes: string }>`${prepared}
    select ${asText('bytes')} as bytes from result_pieces
    where run_id = ${options.runId} and number >= ${firstNumber} and number < ${firstNumber + piecesAtOnce}
    order by number`.execute(db)
  return rows.length > 0 ? fromTexts(rows.map((row) => row.bytes)) : undefined
}

/** Drivers read bytes as hexadecimal text; base64 is shorter in transit and faster at both ends. */
export const asText = (column: 'bytes') => sql`encode(${sql.ref(column)}, 'base64')`
export const fromTexts = (texts: string[]): Buffer => Buffer.concat(texts.map((text) => Buffer.from(text, 'base64')))

/** Uses bounded statements, each its own transaction. If the process dies, the next sweep removes the rest. */
export async function removePieces(db: Db, runIds: string[]): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      with old as materialized (
        select run_id, number from result_pieces
        where run_id = any(${runIds}::text[])
        limit ${piecesRemovedAtOnce}
        for update skip locked)
      delete from result_pieces
      where (run_id, number) in (select run_id, number from old)
      returning number`.execute(db)
    if (rows.length < piecesRemovedAtOnce) return
  }
}
