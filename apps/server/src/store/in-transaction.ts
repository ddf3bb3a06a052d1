import type { Db, Tx } from './db.ts'

/** For what is a transaction by itself, and a step of a larger one where somebody has opened one already. */
export function inTransaction<Result>(db: Db | Tx, act: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? act(db as Tx) : db.transaction().execute(act)
}
