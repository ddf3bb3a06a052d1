import type { Db, Tx } from './db.ts'

/** Runs `act` in the given transaction, or in a new one if there is none. */
export function inTransaction<Result>(db: Db | Tx, act: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? act(db as Tx) : db.transaction().execute(act)
}
