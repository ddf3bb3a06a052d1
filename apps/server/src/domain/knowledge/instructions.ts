import type { Caller } from '../../model/caller.ts'
import { type InstructionsContent, type KnowledgeItem, knowledgeLimits } from '../../model/knowledge.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import { listKnowledgeItems, lockKnowledge } from '../../store/knowledge/knowledge-items.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { changeKnowledge, type KnowledgeDeps } from './change-knowledge.ts'
import { checkLongText } from './check-knowledge.ts'

export interface Instructions {
  /** Null for the instructions of the organization. */
  database: { id: string; name: string } | null
  text: string
  /** 0 if there have never been any. */
  version: number
  changed: { by: { id: string; name: string }; at: Date } | null
}

/** The organization's instructions first, then those of every database in the order of their creation; empty where there are none. */
export async function listInstructions(deps: Pick<KnowledgeDeps, 'db'>, caller: Caller): Promise<Instructions[]> {
  const { organizationId } = caller
  const databases = await listDatabases(deps.db, organizationId)
  const items = await listKnowledgeItems(deps.db, { organizationId, kind: 'instructions' })
  const bySubject = new Map(items.map((item) => [item.subject, item]))
  return [null, ...databases].map((database) =>
    present(database && { id: database.id, name: database.name }, bySubject.get(database?.id ?? '')),
  )
}

/** Empty text removes the instructions from prompts; it is a version like any other. */
export async function putInstructions(
  deps: KnowledgeDeps,
  caller: Caller,
  input: { databaseId: string | null; text: string; version: number },
): Promise<Instructions> {
  requireAdmin(caller)
  const database = input.databaseId === null ? null : await getDatabaseConfig(deps, caller, input.databaseId)
  const content = checkInstructions({ kind: 'instructions', databaseId: database?.id ?? null, text: input.text })
  return deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, caller.organizationId)
    const subject = instructionsSubject(content)
    const item = await changeKnowledge({ ...deps, tx }, caller, { kind: 'instructions', subject, content, basedOn: input.version })
    return present(database && { id: database.id, name: database.name }, item as KnowledgeItem<InstructionsContent>)
  })
}

export function checkInstructions(content: InstructionsContent): InstructionsContent {
  const { instructionsCharacters, databaseInstructionsCharacters } = knowledgeLimits
  const maxCharacters = content.databaseId === null ? instructionsCharacters : databaseInstructionsCharacters
  return { ...content, text: checkLongText({ path: '/text', text: content.text, maxCharacters }) }
}

export const instructionsSubject = ({ databaseId }: { databaseId: string | null }) => databaseId ?? ''

function present(database: Instructions['database'], item: KnowledgeItem<InstructionsContent> | undefined): Instructions {
  return {
    database,
    text: item?.content?.text ?? '',
    version: item?.version ?? 0,
    changed: item ? { by: item.changedBy, at: item.changedAt } : null,
  }
}
