import type { ItemKind } from '@querypost/project'
import type { Caller } from '../../model/caller.ts'
import { lockAutomation } from '../../store/automations/automations-table.ts'
import { lockBoard } from '../../store/boards/boards-table.ts'
import type { Db } from '../../store/db.ts'
import { lockQuestionSets } from '../../store/evaluations/question-sets-table.ts'
import { lockFolders } from '../../store/folders/folders-table.ts'
import { lockKnowledge } from '../../store/knowledge/knowledge-items.ts'
import { lockReference } from '../../store/references/references-table.ts'

/**
 * Locks the items until the transaction ends, so that nobody changes one between its check and its change. Always in the same order, so
 * that two requests never wait for each other.
 */
export async function lockItems(
  { db }: { db: Db },
  { organizationId }: Caller,
  items: { kind: ItemKind; id: string | null }[],
): Promise<void> {
  const idsOf = (kind: ItemKind) => items.flatMap((item) => (item.kind === kind && item.id !== null ? [item.id] : [])).toSorted()
  const hasAny = (kind: ItemKind) => items.some((item) => item.kind === kind)
  await db.transaction().execute(async (tx) => {
    // The lock of the organization also makes other pushes wait.
    await lockFolders(tx, organizationId)
    if (hasAny('question_set')) await lockQuestionSets(tx, organizationId)
    if (hasAny('metric')) await lockKnowledge(tx, organizationId)
    for (const shortId of idsOf('query')) await lockReference(tx, { organizationId, shortId })
    for (const shortId of idsOf('board')) await lockBoard(tx, { organizationId, shortId })
    for (const automationId of idsOf('automation')) await lockAutomation(tx, { organizationId, automationId })
  })
}
