import { PGliteAdapter, type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'

/** All pieces of something but the last have this size, so that a byte's offset determines its piece. */
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
export function pieceRows(db: Db | Tx, options: { id: string; offset: number; bytes: Buffer }): RawBuilder<unknown> {
  const { id, offset, bytes } = options
  const isEmbedded = db.getExecutor().adapter instanceof PGliteAdapter
  const count = Math.ceil(bytes.length / pieceBytes)
  const rows = Array.from({ length: count }, (_, index) => {
    const piece = bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes)
    const value = isEmbedded ? sql`decode(${piece.toString('base64')}::text, 'base64')` : sql`${piece}::bytea`
    return sql`(${id}::text, ${offset / pieceBytes + index}::integer, ${value})`
  })
  return sql.join(rows)
}

/** A table of pieces, and the column that says what they belong to. */
export interface PieceTable {
  name: 'result_pieces' | 'archive_pieces'
  owner: 'run_id' | 'object_id'
}
export const resultPieces: PieceTable = { name: 'result_pieces', owner: 'run_id' }
export const archivePieces: PieceTable = { name: 'archive_pieces', owner: 'object_id' }

/**
 * Inserts a range. Fails if its writer was considered dead, because pieces need the row they belong to.
 *
 * Doesn't wait for the disk: pieces count only once a later transaction says that all are there, and its commit waits until everything
 * before it is on disk, too. A disk that is busy would hold up the run at each range otherwise.
 */
export async function insertPieces(
  db: Db,
  { name, owner }: PieceTable,
  options: { id: string; offset: number; bytes: Buffer },
): Promise<void> {
  await sql`
    insert into ${sql.table(name)} (${sql.ref(owner)}, number, bytes)
    select piece.* from (select set_config('synchronous_commit', 'off', true)) as setting
      cross join (values ${pieceRows(db, options)}) as piece`.execute(db)
}

export async function readPieces(
  db: Db,
  { name, owner }: PieceTable,
  options: { id: string; offset: number },
): Promise<Buffer | undefined> {
  const firstNumber = options.offset / pieceBytes
  const { rows } = await sql<{ bytes: string }>`${prepared}
    select ${asText('bytes')} as bytes from ${sql.table(name)}
    where ${sql.ref(owner)} = ${options.id} and number >= ${firstNumber} and number < ${firstNumber + piecesAtOnce}
    order by number`.execute(db)
  return rows.length > 0 ? fromTexts(rows.map((row) => row.bytes)) : undefined
}

/** Drivers read bytes as hexadecimal text; base64 is shorter in transit and faster at both ends. */
export const asText = (column: 'bytes') => sql`encode(${sql.ref(column)}, 'base64')`
export const fromTexts = (texts: string[]): Buffer => Buffer.concat(texts.map((text) => Buffer.from(text, 'base64')))

/** Uses bounded statements, each its own transaction. If the process dies, the next sweep removes the rest. */
export async function removePieces(db: Db, { name, owner }: PieceTable, ids: string[]): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      with old as materialized (
        select ${sql.ref(owner)}, number from ${sql.table(name)}
        where ${sql.ref(owner)} = any(${ids}::text[])
        limit ${piecesRemovedAtOnce}
        for update skip locked)
      delete from ${sql.table(name)}
      where (${sql.ref(owner)}, number) in (select ${sql.ref(owner)}, number from old)
      returning number`.execute(db)
    if (rows.length < piecesRemovedAtOnce) return
  }
}
