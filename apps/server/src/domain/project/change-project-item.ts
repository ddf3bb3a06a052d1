import type { Contents, ItemKind } from '@querypost/project'
import type { Caller } from '../../model/caller.ts'
import { type AutomationsDeps, createAutomation, deleteAutomation, editAutomation } from '../automations/automations.ts'
import { createBoard, deleteBoard, editBoard, getBoard } from '../boards/boards.ts'
import { createQuestionSet, deleteQuestionSet, putQuestionSet } from '../evaluations/question-sets.ts'
import { createFolder, deleteFolder, editFolder } from '../folders/folders.ts'
import { changeMetric, createMetric, deleteMetric, getMetric, type MetricsDeps } from '../knowledge/metric-definitions.ts'
import { deleteUnlessUsed } from '../lineage/delete-unless-used.ts'
import { editReference, type ReferencesDeps, saveReference } from '../references/references.ts'
import { automationInput, boardInput, type Ids, metricInput, queryInput, questionSetInput } from './inputs.ts'

export type ProjectDeps = ReferencesDeps & AutomationsDeps & MetricsDeps

interface ItemChanges<Content> {
  /** Returns the new id. */
  create(deps: ProjectDeps, caller: Caller, content: Content, ids: Ids): Promise<string>
  change(deps: ProjectDeps, caller: Caller, id: string, content: Content, ids: Ids): Promise<unknown>
  delete(deps: ProjectDeps, caller: Caller, id: string): Promise<unknown>
}

const itemChanges: { [Kind in ItemKind]: ItemChanges<Contents[Kind]> } = {
  folder: {
    create: async (deps, caller, { name, folder = null }) => (await createFolder(deps, caller, { name, parentId: folder })).id,
    change: (deps, caller, id, { name, folder = null }) => editFolder(deps, caller, id, { name, parentId: folder }),
    delete: deleteFolder,
  },
  query: {
    async create(deps, caller, content, ids) {
      const { freshForSeconds, ...input } = queryInput(content, ids)
      const { shortId } = await saveReference(deps, caller, input)
      if (freshForSeconds !== null) await editReference(deps, caller, shortId, { freshForSeconds })
      return shortId
    },
    change: (deps, caller, shortId, content, ids) => editReference(deps, caller, shortId, queryInput(content, ids)),
    delete: (deps, caller, shortId) => deleteUnlessUsed(deps, caller, { shortId, evenIfUsed: false }),
  },
  board: {
    create: async (deps, caller, content) => (await createBoard(deps, caller, boardInput(deps, content))).shortId,
    async change(deps, caller, shortId, content) {
      const before = await getBoard(deps, caller, shortId)
      await editBoard(deps, caller, before, boardInput(deps, content, before))
    },
    delete: async (deps, caller, shortId) => deleteBoard(deps, caller, await getBoard(deps, caller, shortId)),
  },
  automation: {
    create: async (deps, caller, content) => (await createAutomation(deps, caller, automationInput(content))).id,
    change: (deps, caller, id, content) => editAutomation(deps, caller, id, automationInput(content)),
    delete: deleteAutomation,
  },
  metric: {
    create: async (deps, caller, content, ids) => (await createMetric(deps, caller, metricInput(content, ids))).id,
    async change(deps, caller, metricId, content, ids) {
      const { version } = await getMetric(deps.db, caller, metricId)
      await changeMetric(deps, caller, { metricId, version, metric: metricInput(content, ids) })
    },
    delete: deleteMetric,
  },
  question_set: {
    create: async (deps, caller, content, ids) => (await createQuestionSet(deps, caller, questionSetInput(content, ids))).id,
    change: (deps, caller, id, content, ids) => putQuestionSet(deps, caller, { id, ...questionSetInput(content, ids) }),
    delete: deleteQuestionSet,
  },
}

/** Creates the item if it has no id. Returns its id. */
export async function changeItem(
  deps: ProjectDeps,
  caller: Caller,
  { kind, id, content }: { kind: ItemKind; id: string | null; content: Contents[ItemKind] },
  ids: Ids,
): Promise<string> {
  const changes = itemChanges[kind] as ItemChanges<Contents[ItemKind]>
  if (id === null) return changes.create(deps, caller, content, ids)
  await changes.change(deps, caller, id, content, ids)
  return id
}

export async function deleteItem(deps: ProjectDeps, caller: Caller, { kind, id }: { kind: ItemKind; id: string | null }): Promise<void> {
  await itemChanges[kind].delete(deps, caller, id!)
}
