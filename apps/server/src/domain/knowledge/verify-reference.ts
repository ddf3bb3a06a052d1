import type { Caller } from '../../model/caller.ts'
import { knowledgeLimits, type Verification } from '../../model/knowledge.ts'
import type { ReferenceInFull } from '../../model/reference.ts'
import type { Db } from '../../store/db.ts'
import { countKnowledgeItems, findKnowledgeItem, lockKnowledge } from '../../store/knowledge/knowledge-items.ts'
import { listVerifiedQueries as readVerifiedQueries, readVerifications, type VerifiedReference } from '../../store/knowledge/verified-queries.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { getReference, type ReferencesDeps } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import { changeKnowledge, type KnowledgeDeps } from './change-knowledge.ts'

export type { VerifiedReference }

type VerifyDeps = KnowledgeDeps & Pick<ReferencesDeps, 'findReference'>

export function listVerifiedQueries(deps: { db: Db }, caller: Caller): Promise<VerifiedReference[]> {
  return readVerifiedQueries(deps.db, { organizationId: caller.organizationId })
}

/** The mark on a reference; null if it never had one or lost it. */
export async function readVerification(
  deps: { db: Db },
  caller: Caller,
  reference: Pick<ReferenceInFull, 'id' | 'currentQuery'>,
): Promise<Verification | null> {
  const { id, currentQuery } = reference
  const references = [{ id, queryId: currentQuery.id }]
  const marks = await readVerifications(deps.db, { organizationId: caller.organizationId, references })
  return marks.get(id) ?? null
}

/** Marks the reference as verified with its current SQL, or renews the mark. */
export async function verifyReference(deps: VerifyDeps, caller: Caller, shortId: string): Promise<Verification> {
  requireAdmin(caller)
  const { organizationId } = caller
  const reference = await getReference(deps, caller, shortId)
  if (reference.isOptimistic) throw new Refusal('invalid_request', 'This query has no SQL yet. Save its SQL first.')
  await deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, organizationId)
    const known = await findKnowledgeItem(tx, { organizationId, kind: 'verified_query', subject: reference.id })
    const count = await countKnowledgeItems(tx, { organizationId, kind: 'verified_query' })
    if (!known?.content && count >= knowledgeLimits.verifiedQueries) throw tooMany()
    const content = { kind: 'verified_query', shortId, title: reference.title, queryId: reference.currentQuery.id } as const
    await changeKnowledge({ ...deps, tx }, caller, { kind: 'verified_query', subject: reference.id, content })
  })
  return (await readVerification(deps, caller, reference))!
}

/** Removing a mark that is not there succeeds. */
export async function unverifyReference(deps: VerifyDeps, caller: Caller, shortId: string): Promise<void> {
  requireAdmin(caller)
  const { organizationId } = caller
  const reference = await getReference(deps, caller, shortId)
  await deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, organizationId)
    const known = await findKnowledgeItem(tx, { organizationId, kind: 'verified_query', subject: reference.id })
    if (!known?.content) return
    await changeKnowledge({ ...deps, tx }, caller, { kind: 'verified_query', subject: reference.id, content: null })
  })
}

const tooMany = () =>
  new Refusal('invalid_request', `Your organization has ${knowledgeLimits.verifiedQueries} verified queries, the maximum. Remove a mark first.`)
