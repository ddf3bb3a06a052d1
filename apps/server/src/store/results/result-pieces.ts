import type { Db } from '../db.ts'
import { archivePieces, insertPieces, type PieceTable, rangeBytes, readPieces, removePieces, resultPieces } from './pieces.ts'

/** Access to bytes in this database. Requests read them; background work writes and removes them. */
const makePieces = (table: PieceTable, { db, backgroundDb }: { db: Db; backgroundDb: Db }) => ({
  rangeBytes,
  insert: (options: Parameters<typeof insertPieces>[2]) => insertPieces(backgroundDb, table, options),
  read: (options: Parameters<typeof readPieces>[2]) => readPieces(db, table, options),
  remove: (ids: string[]) => removePieces(backgroundDb, table, ids),
})

export const makeResultPieces = (store: { db: Db; backgroundDb: Db }) => makePieces(resultPieces, store)
export const makeArchivePieces = (store: { db: Db; backgroundDb: Db }) => makePieces(archivePieces, store)
