import type { Db } from '../db.ts'
import { insertPieces, rangeBytes, readPieces, removePieces } from './pieces.ts'

/** Access to result bytes in this database. Requests read them; background work writes and removes them. */
export function makeResultPieces({ db, backgroundDb }: { db: Db; backgroundDb: Db }) {
  return {
    rangeBytes,
    insert: (options: Parameters<typeof insertPieces>[1]) => insertPieces(backgroundDb, options),
    read: (options: Parameters<typeof readPieces>[1]) => readPieces(db, options),
    remove: (runIds: string[]) => removePieces(backgroundDb, runIds),
  }
}
