import type { Tx } from '../db.ts'

/** The next queries of a walk, ordered by id. */
export async function nextQueryIds(tx: Tx, afterId: string | null, count: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('queries')
    .select('id')
    .$if(afterId !== null, (queries) => queries.where('id', '>', afterId!))
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.map(({ id }) => id)
}
