import type { Caller } from '../../model/caller.ts'
import type { KeptResultInFull } from '../../model/history.ts'
import type { Reference, ReferenceVersionInFull } from '../../model/reference.ts'
import type { Db } from '../../store/db.ts'
import { findKeptResultAt, findOldestKeptAt } from '../../store/history/archived-results-table.ts'
import { readSqlOfQueries } from '../../store/history/path-results.ts'
import { findReferenceVersion, findVersionNumberAt } from '../../store/references/reference-versions.ts'
import { getReference, type ReferencesDeps } from '../references/references.ts'
import { Refusal } from '../refusal.ts'

export type PastDeps = Pick<ReferencesDeps, 'findReference'> & { db: Db }

/** What a reference showed at a time. */
export interface PastReference {
  /** Null if no result from that time or before is kept. */
  shown: PastResult | null
  /** The time of the oldest kept result. */
  oldestAt: Date | null
}

export interface PastResult {
  result: KeptResultInFull
  /** The SQL that produced it; null if the query was deleted. */
  sql: string | null
  /** The saved state of that time: title, chart, parameters. */
  version: Pick<ReferenceVersionInFull, 'title' | 'description' | 'visualization' | 'parameters'>
}

export async function getPastReference(
  deps: PastDeps,
  caller: Pick<Caller, 'organizationId'>,
  { shortId, at }: { shortId: string; at: string },
): Promise<PastReference> {
  const time = readPastTime(at)
  return findPast(deps.db, caller, await getReference(deps, caller, shortId), time)
}

/** What one reference showed at a time. */
export async function findPast(
  db: Db,
  { organizationId }: Pick<Caller, 'organizationId'>,
  reference: Pick<Reference, 'id' | 'title'>,
  at: Date,
): Promise<PastReference> {
  const key = { organizationId, referenceId: reference.id }
  const oldestAt = await findOldestKeptAt(db, key)
  const result = await findKeptResultAt(db, { ...key, at })
  if (!result) return { shown: null, oldestAt }
  const sqlTexts = await readSqlOfQueries(db, { organizationId, queryIds: [result.queryId] })
  const number = await findVersionNumberAt(db, { referenceId: reference.id, at })
  const version = number === undefined ? undefined : await findReferenceVersion(db, { referenceId: reference.id, number })
  const { title, description, visualization, parameters } = version ?? { title: reference.title, description: null, visualization: null, parameters: [] }
  return { shown: { result, sql: sqlTexts.get(result.queryId) ?? null, version: { title, description, visualization, parameters } }, oldestAt }
}

/** The time in a request. */
export function readPastTime(text: string): Date {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time
  throw new Refusal('invalid_request', `${JSON.stringify(text)} is not a time. Write it like 2026-03-01T08:00Z.`, [{ path: 'at', message: 'is not a time' }])
}
