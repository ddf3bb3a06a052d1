import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { locksOfOne } from '../locks.ts'
import type { StoreSession } from '../wakeups.ts'

/**
 * Which workers are connected to the store. Implemented in SQL, and in memory by the simulator.
 *
 * A worker holds a lock in its process's session. When the process dies, the server notices that the connection is closed and releases
 * the lock, long before a lease expires. A process that is merely stopped keeps its connection and its lock.
 */
export interface WorkerRegistry {
  /** Makes the worker present, or present again. Returns false if that is not possible now. */
  enter(workerId: string): Promise<boolean>
  /** All workers that have entered. */
  look(): Promise<{ id: string; isAbsent: boolean }[]>
  remove(workerIds: readonly string[]): Promise<void>
}

export function makeSqlWorkerRegistry({ db, session }: { db: Db; session: StoreSession }): WorkerRegistry {
  let lockNumber: number | undefined
  return {
    async enter(workerId) {
      lockNumber ??= await nextLockNumber(db)
      // The lock comes first: others take a worker without one for dead.
      if (!(await session.lock([locksOfOne.workers, lockNumber]))) return false
      await db
        .insertInto('present_workers')
        .values({ id: workerId, lock_number: lockNumber })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
      return true
    },
    // Shared, so that workers that look at the same time don't see each other's locks. It ends with the statement.
    async look() {
      const { rows } = await sql<{ id: string; isAbsent: boolean }>`
        select id, pg_try_advisory_xact_lock_shared(${sql.lit(locksOfOne.workers)}, lock_number) as "isAbsent"
        from present_workers`.execute(db)
      return rows
    },
    async remove(workerIds) {
      await db.deleteFrom('present_workers').where('id', 'in', workerIds).execute()
    },
  }
}

/**
 * For a store that only one process uses at a time: workers that entered before it started are gone. It knows them after the first
 * look, so later looks cost nothing.
 */
export function makeSoleWorkerRegistry({ db }: { db: Db }): WorkerRegistry {
  let predecessors: string[] | undefined
  let own: string[] = []
  return {
    async enter(workerId) {
      await db.insertInto('present_workers').values({ id: workerId, lock_number: await nextLockNumber(db) }).execute()
      own = [workerId]
      return true
    },
    async look() {
      predecessors ??= (await db.selectFrom('present_workers').select('id').execute()).map(({ id }) => id)
      return [...predecessors.map((id) => ({ id, isAbsent: true })), ...own.map((id) => ({ id, isAbsent: false }))]
    },
    async remove(workerIds) {
      await db.deleteFrom('present_workers').where('id', 'in', workerIds).execute()
      predecessors = predecessors?.filter((id) => !workerIds.includes(id))
    },
  }
}

async function nextLockNumber(db: Db): Promise<number> {
  const { rows } = await sql<{ number: number }>`select nextval('worker_lock_numbers')::integer as number`.execute(db)
  return rows[0]!.number
}
