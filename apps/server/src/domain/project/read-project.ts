import { canonical, type Contents, hashOf, type ItemKind, type StoredItem } from '@querypost/project'
import type { Caller } from '../../model/caller.ts'
import { readAllBoards } from '../../store/boards/boards-table.ts'
import type { Db } from '../../store/db.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import { listQuestionSets } from '../../store/evaluations/question-sets-table.ts'
import { listManagedItems } from '../../store/managed/managed-items-table.ts'
import { readMembers } from '../../store/people/memberships-table.ts'
import { readSavedQueries } from '../../store/project/read-saved-queries.ts'
import { listNewestAutomations } from '../automations/automations.ts'
import { requireFullSight } from '../access/require-access.ts'
import { listFolders } from '../folders/folders.ts'
import { listMetrics } from '../knowledge/metric-definitions.ts'
import { automationContent, boardContent, metricContent, type Names, queryContent, questionSetContent } from './contents.ts'

const allAutomations = 100_000

/**
 * Everything of the caller's organization that has a file, with ids as links. Not for members from whom something is hidden: items name
 * others, and a push of what they see would remove the rest.
 */
export async function readProject(deps: { db: Db }, caller: Caller): Promise<StoredItem[]> {
  requireFullSight(caller)
  const { organizationId } = caller
  const names = await readNames(deps, caller)
  const folders = await listFolders(deps, caller)
  const queries = await readSavedQueries(deps.db, organizationId)
  const boards = await readAllBoards(deps.db, organizationId)
  const automations = await listNewestAutomations(deps, caller, allAutomations)
  const metrics = await listMetrics(deps, caller)
  const questionSets = await listQuestionSets(deps.db, organizationId)
  const items = [
    ...folders.map(({ id, name, parentId }) => itemOf('folder', id, { name, ...(parentId !== null && { folder: parentId }) })),
    ...queries.map((query) => itemOf('query', query.shortId, queryContent(query))),
    ...boards.map((board) => itemOf('board', board.shortId, boardContent(board))),
    ...automations.map((automation) => itemOf('automation', automation.id, automationContent(automation))),
    ...metrics.map(({ id, content }) => itemOf('metric', id, metricContent(content, names))),
    ...questionSets.map((set) => itemOf('question_set', set.id, questionSetContent(set, names))),
  ]
  const managedUrls = new Map((await listManagedItems(deps.db, { organizationId })).map(({ kind, id, url }) => [`${kind} ${id}`, url]))
  return items.map((item) => Object.assign(item, { managedUrl: managedUrls.get(`${item.kind} ${item.id}`) ?? null }))
}

export async function readNames({ db }: { db: Db }, { organizationId }: Caller): Promise<Names> {
  const databases = await listDatabases(db, organizationId)
  const members = await readMembers(db, organizationId)
  return {
    databases: new Map(databases.map(({ id, name }) => [id, name])),
    members: new Map(members.map(({ id, email }) => [id, email])),
  }
}

const itemOf = <Kind extends ItemKind>(kind: Kind, id: string, content: Contents[Kind]): StoredItem =>
  ({ kind, id, hash: hashOf(kind, content), content: canonical(kind, content) }) as StoredItem
