import type { Caller } from '../../model/caller.ts'
import type { KnowledgeContent, KnowledgeKind, KnowledgeVersion, VerifiedQueryContent } from '../../model/knowledge.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import { findKnowledgeItemById, lockKnowledge } from '../../store/knowledge/knowledge-items.ts'
import { findKnowledgeVersion, readKnowledgeHistory } from '../../store/knowledge/knowledge-versions.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { isId } from '../ids.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage } from '../pagination/list-page.ts'
import { getReference } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import { changeKnowledge } from './change-knowledge.ts'
import { checkMetric, type MetricsDeps, refuseTakenName } from './metric-definitions.ts'
import { nameOf, textOf } from './present-knowledge.ts'
import { changeTableDescription } from './table-descriptions.ts'

/** A version with its name and its text before and after, for people. */
export interface ListedVersion extends Omit<KnowledgeVersion, 'content' | 'before'> {
  kind: KnowledgeKind
  name: string
  before: string | null
  after: string | null
}

/** Who changed what, newest first. */
export async function listKnowledgeHistory(
  deps: Pick<MetricsDeps, 'db' | 'clock'> & { listCursors: ListCursorCodec },
  caller: Caller,
  request: PageRequest,
): Promise<Page<ListedVersion>> {
  const { organizationId } = caller
  const page = await readListPage(deps, {
    place: { organizationId, list: 'knowledge history' },
    request,
    read: async (within) => ({ rows: await readKnowledgeHistory(deps.db, { organizationId, ...within }) }),
  })
  const databases = await listDatabases(deps.db, organizationId)
  const databaseNames = new Map(databases.map(({ id, name }) => [id, name]))
  return { ...page, items: page.items.map((version) => present(version, databaseNames)) }
}

function present({ content, before, ...version }: KnowledgeVersion, databaseNames: Map<string, string>): ListedVersion {
  // A deletion follows a version with content.
  const known = (content ?? before)!
  const databaseName = 'databaseId' in known && known.databaseId !== null ? databaseNames.get(known.databaseId) : undefined
  return {
    ...version,
    kind: known.kind,
    name: nameOf(known, databaseName),
    before: before && textOf(before),
    after: content && textOf(content),
  }
}

/** Makes an earlier version the current one, as a new version. It must still be valid: what it refers to may be gone since. */
export async function restoreKnowledge(
  deps: MetricsDeps,
  caller: Caller,
  { itemId, number }: { itemId: string; number: number },
): Promise<void> {
  requireAdmin(caller)
  const { organizationId } = caller
  const item = isId(itemId) ? await findKnowledgeItemById(deps.db, { organizationId, itemId }) : undefined
  const version = item && (await findKnowledgeVersion(deps.db, { organizationId, itemId, number }))
  if (!item || !version) {
    throw new Refusal('knowledge_not_found', `There is no version ${number} of ${JSON.stringify(itemId)}.`)
  }
  const { content } = version
  if (!content) throw new Refusal('invalid_request', 'This version is a deletion. Choose a version before it.')
  await checkStillValid(deps, caller, content)
  await deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, organizationId)
    if (content.kind === 'metric') await refuseTakenName(tx, caller, { itemId, name: content.name })
    if (content.kind === 'table') {
      await changeTableDescription({ ...deps, tx }, caller, { content, restoredNumber: number })
      return
    }
    const { subject } = item
    await changeKnowledge({ ...deps, tx }, caller, { kind: content.kind, subject, content, restoredNumber: number })
  })
}

async function checkStillValid(deps: MetricsDeps, caller: Caller, content: KnowledgeContent): Promise<void> {
  switch (content.kind) {
    case 'instructions':
      if (content.databaseId !== null) await getDatabaseConfig(deps, caller, content.databaseId)
      return
    case 'table':
      await getDatabaseConfig(deps, caller, content.databaseId)
      return
    case 'metric':
      await checkMetric(deps, caller, content)
      return
    case 'verified_query':
      return refuseOtherSql(deps, caller, content)
  }
}

async function refuseOtherSql(deps: MetricsDeps, caller: Caller, { shortId, queryId }: VerifiedQueryContent): Promise<void> {
  const { currentQuery } = await getReference(deps, caller, shortId)
  if (currentQuery.id === queryId) return
  throw new Refusal('invalid_request', 'The SQL of this query has changed since. Review it, then verify the query again.')
}

