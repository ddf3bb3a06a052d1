import type { Db } from '../db.ts'
import { insertPieces, rangeBytes, readPieces, removePieces } from './pieces.ts'

/** The bytes of results in this database: read for requests, written and removed in the background. */
export function makeResultPieces({ db, backgroundDb }: { db: Db; backgroundDb: Db }) {
  return {
    rangeBytes,
    insert: (options: Parameters<typeof insertPieces>[1]) => insertPieces(backgroundDb, options),
    read: (options: Parameters<typeof readPieces>[1]) => readPieces(db, options),
    remove: (runIds: string[]) => removePieces(backgroundDb, runIds),
  }
}
