import { PGliteAdapter, type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

/** All pieces of a result but its last have this size, so that a piece's number follows from where its bytes stand. */
const pieceBytes = 256 * 1024
/** Four pieces a statement: a megabyte at a time in memory, and four times fewer ways to the server. */
export const piecesAtOnce = 4
/** 16 MiB: a statement that removes them is over long before anybody waits for it. */
const piecesRemovedAtOnce = 64

/** What one statement writes or reads. */
export const rangeBytes = pieceBytes * piecesAtOnce

/**
 * As rows of a `values` list. Each piece is a parameter of its own, which goes to a server as it is. The embedded store would
 * spell it out byte by byte in JavaScript, a second for each megabyte; as base64 it takes a tenth.
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

/** A range of a result. Fails when the result was given up meanwhile: pieces cannot be without it. */
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

/** Drivers read bytes as hexadecimal text; base64 is shorter on the way and quicker at both ends. */
export const asText = (column: 'bytes') => sql`encode(${sql.ref(column)}, 'base64')`
export const fromTexts = (texts: string[]): Buffer => Buffer.concat(texts.map((text) => Buffer.from(text, 'base64')))

/**
 * In bounded statements, each a transaction of its own: what is left when the process dies is removed by the next
 * sweep.
 */
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
