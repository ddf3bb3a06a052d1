import type { Caller } from '../../model/caller.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Reference, ReferenceInFull, ReferenceVersion, ReferenceVersionInFull } from '../../model/reference.ts'
import type { Db, Tx } from '../../store/db.ts'
import { lockQueryAgainstExpiry } from '../../store/queries/queries-table.ts'
import { findReferenceVersion, listReferenceVersions } from '../../store/references/reference-versions.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage, withKeys } from '../pagination/list-page.ts'
import { noSuchQuery } from '../queries/queries.ts'
import { Refusal } from '../refusal.ts'
import { changeReference, getReference, lockExisting, type ReferencesDeps } from './references.ts'

/** Every saved state, newest first. */
export async function listReferenceHistory(
  deps: Pick<ReferencesDeps, 'db' | 'clock' | 'findReference'> & { listCursors: ListCursorCodec },
  caller: Caller,
  { shortId, ...request }: PageRequest & { shortId: string },
): Promise<Page<ReferenceVersion>> {
  const reference = await getReference(deps, caller, shortId)
  return readListPage(deps, {
    place: { organizationId: caller.organizationId, list: `versions of ${reference.id}` },
    request,
    async read({ count, after }) {
      const before = after && { beforeNumber: Number(after.id) }
      const versions = await listReferenceVersions(deps.db, { referenceId: reference.id, count, ...before })
      return { rows: withKeys(versions, ({ changedAt, number }) => ({ createdAt: changedAt.toISOString(), id: String(number) })) }
    },
  })
}

export async function getReferenceVersion(
  deps: Pick<ReferencesDeps, 'db' | 'findReference'>,
  caller: Caller,
  { shortId, number }: { shortId: string; number: number },
): Promise<ReferenceVersionInFull> {
  return findVersion(deps.db, await getReference(deps, caller, shortId), number)
}

/** Saves an earlier state as a new version. The reference stays in its folder. Restoring the current state saves nothing. */
export async function restoreReferenceVersion(
  deps: ReferencesDeps,
  caller: Caller,
  { shortId, number }: { shortId: string; number: number },
): Promise<ReferenceInFull> {
  return deps.db.transaction().execute(async (tx) => {
    const reference = await lockExisting(tx, caller, shortId)
    const { title, description, visualization, parameters, ...version } = await findVersion(tx, reference, number)
    const query = { id: version.queryId, isOptimistic: version.isOptimistic }
    if (!query.isOptimistic && !(await lockQueryAgainstExpiry(tx, { ...caller, queryId: query.id }))) throw noSuchQuery(query.id)
    if (query.isOptimistic && !reference.isOptimistic) {
      throw new Refusal('invalid_request', `Version ${number} has no SQL. Restore a later version.`)
    }
    const changes = { title, description, visualization, parameters, query }
    return changeReference({ ...deps, tx }, caller, reference, { changes, restoredNumber: number })
  })
}

async function findVersion(db: Db | Tx, { id, shortId }: Reference, number: number): Promise<ReferenceVersionInFull> {
  const version = await findReferenceVersion(db, { referenceId: id, number })
  if (!version) throw new Refusal('reference_not_found', `The query reference ${JSON.stringify(shortId)} has no version ${number}.`)
  return version
}
