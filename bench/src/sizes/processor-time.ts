import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Site } from './site.ts'

/**
 * The CPU time of `act` in milliseconds: of this process, and of the PostgreSQL processes that serve the site. On a machine that others
 * use as well, it varies much less than the time that passes.
 */
export async function processorMs({ store }: Site, act: () => Promise<unknown>): Promise<number> {
  const before = await readBackends(store)
  const usedBefore = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(usedBefore)
  const after = await readBackends(store)
  // A process that is new serves a connection that was opened in between.
  const ofBackends = [...after].reduce((sum, [pid, nanoseconds]) => sum + nanoseconds - (before.get(pid) ?? 0), 0)
  return (user + system) / 1000 + ofBackends / 1_000_000
}

/** The CPU time of each PostgreSQL process in nanoseconds. An embedded store has none. */
async function readBackends({ db, server }: Site['store']): Promise<Map<number, number>> {
  if (!server) return new Map()
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`.execute(db)
  return new Map(rows.flatMap(({ pid }) => nanosecondsOf(pid) ?? []))
}

/** The first number is the time on a CPU; see the kernel's documentation of sched-stats. Undefined if the process has ended. */
function nanosecondsOf(pid: number): [pid: number, nanoseconds: number][] | undefined {
  try {
    return [[pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])]]
  } catch {
    return undefined
  }
}
