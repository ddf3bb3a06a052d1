import { sql } from 'kysely'
import type { RunLimits } from '../../model/sharing/public-link.ts'
import type { Db } from '../db.ts'
import { locksOfOne } from '../locks.ts'

const hourMs = 3600_000
const dayMs = 24 * hourMs

/**
 * Counts runs against the limits of a link or an embedding secret, all of them or none. Returns false if they exceed a limit.
 *
 * The lock makes requests of one link take turns, so that together they start no more than one of them could alone. A run that has not
 * ended counts as no time; the hourly limit bounds how many of those there are.
 */
export function chargeViewerRuns(
  db: Db,
  { viewerId, runIds, limits, now }: { viewerId: string; runIds: string[]; limits: RunLimits; now: Date },
): Promise<boolean> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${locksOfOne.viewerRuns}, hashtext(${viewerId}))`.execute(tx)
    await sql`delete from viewer_runs where viewer_id = ${viewerId} and requested_at < ${since(dayMs)}`.execute(tx)
    const { rows } = await sql<{ count: number; seconds: number }>`
      select count(*) filter (where requested_at > ${since(hourMs)})::integer as count,
        coalesce(sum(extract(epoch from runs.completed_at - runs.started_at)), 0)::double precision as seconds
      from viewer_runs left join runs on runs.id = viewer_runs.run_id
      where viewer_id = ${viewerId}`.execute(tx)
    const { count, seconds } = rows[0]!
    if (count + runIds.length > limits.perHour || seconds >= limits.secondsPerDay) return false
    await sql`
      insert into viewer_runs (viewer_id, run_id, requested_at)
      select ${viewerId}, run_id, ${now}::timestamptz from unnest(${runIds}::text[]) as run_id`.execute(tx)
    return true
  })
}
