import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../testing/silent-log.ts'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import { systemClock } from '../../ports/clock.ts'
import { openPostgres, type Store } from '../db.ts'
import { makeSoleWorkerRegistry, makeSqlWorkerRegistry } from './worker-registry.ts'

/** Two processes on one server. */
let first: TestStore
let second: Store
beforeAll(async () => {
  first = await openTestStore('postgres')
  second = await openPostgres({ url: first.url!, clock: systemClock, log: silentLog })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const registryOf = ({ db, session }: Store) => makeSqlWorkerRegistry({ db, session: session! })
const absentIn = async (registry: ReturnType<typeof registryOf>) =>
  (await registry.look()).filter(({ isAbsent }) => isAbsent).map(({ id }) => id)

/** Ends the session as the death of its process would. */
const endSession = (workerId: string) => sql`
  select pg_terminate_backend(held.pid)
  from present_workers
  join pg_locks as held on held.locktype = 'advisory' and held.objid = lock_number and held.mode = 'ExclusiveLock'
    and held.database = (select oid from pg_database where datname = current_database())
  where id = ${workerId}`.execute(first.db)

test('a worker is present as long as its session, to itself and to others, and can enter again', async () => {
  const [one, other] = [registryOf(first), registryOf(second)]
  expect(await Promise.all([one.enter('worker_1'), other.enter('worker_2')])).toEqual([true, true])
  expect((await Promise.all([one, other, one, other].map(absentIn))).flat()).toEqual([])

  await endSession('worker_2')
  await expect.poll(() => absentIn(one)).toEqual(['worker_2'])
  expect(await absentIn(other)).toEqual(['worker_2'])
  await expect.poll(() => other.enter('worker_2')).toBe(true)
  expect(await absentIn(one)).toEqual([])

  await endSession('worker_2')
  await expect.poll(() => absentIn(one)).toEqual(['worker_2'])
  await one.remove(['worker_2'])
  expect((await one.look()).map(({ id }) => id)).toEqual(['worker_1'])
})

test('in a store of one process, everyone who entered before it started is absent', async () => {
  const { db } = first
  await db.deleteFrom('present_workers').execute()
  const killed = makeSoleWorkerRegistry({ db })
  expect(await killed.look()).toEqual([])
  await killed.enter('worker_1')
  expect(await killed.look()).toEqual([{ id: 'worker_1', isAbsent: false }])

  const restarted = makeSoleWorkerRegistry({ db })
  expect(await restarted.look()).toEqual([{ id: 'worker_1', isAbsent: true }])
  await restarted.enter('worker_2')
  expect(await restarted.look()).toEqual([
    { id: 'worker_1', isAbsent: true },
    { id: 'worker_2', isAbsent: false },
  ])
  await restarted.remove(['worker_1'])
  expect(await restarted.look()).toEqual([{ id: 'worker_2', isAbsent: false }])
  expect(await makeSoleWorkerRegistry({ db }).look()).toEqual([{ id: 'worker_2', isAbsent: true }])
})
