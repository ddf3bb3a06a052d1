import { sql } from 'kysely'
import type { Db } from '../db.ts'

const batchSize = 1000

/** The results that must exist as files: those of runs that completed after `completedAfter`, unless they are stored elsewhere. */
export async function* listResultFiles(db: Db, options: { completedAfter: Date }): AsyncGenerator<{ runId: string; hash: string }> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ runId: string; hash: string }>`
      select id as "runId", result_hash as hash from runs
      where id > ${after} and status = 'completed' and result_hash is not null and result_removed_at is null
        and completed_at > ${options.completedAfter} and not exists (select from results where results.run_id = runs.id)
      order by id limit ${batchSize}`.execute(db)
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)!.runId
  }
}

/** The kept results that must exist as files, with their sizes. */
export async function* listArchiveFiles(db: Db): AsyncGenerator<{ id: string; sizeBytes: number }> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; sizeBytes: number }>`
      select id, stored_bytes::float8 as "sizeBytes" from archive_objects
      where id > ${after} and place = 'files' and written_at is not null and removed_at is null
      order by id limit ${batchSize}`.execute(db)
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)!.id
  }
}
