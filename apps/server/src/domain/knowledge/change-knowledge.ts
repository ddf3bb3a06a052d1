import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../model/caller.ts'
import type { KnowledgeContent, KnowledgeItem } from '../../model/knowledge.ts'
import type { AuditAction } from '../../model/audit-action.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findDatabase } from '../../store/databases/databases-table.ts'
import { findKnowledgeItem, insertKnowledgeVersion } from '../../store/knowledge/knowledge-items.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction } from '../audit/record-action.ts'
import { weightedWords } from '../catalog/search-words.ts'
import { newId, newOrderedId } from '../ids.ts'
import { requireUnmanaged } from '../managed/managed-items.ts'
import { Refusal } from '../refusal.ts'
import { nameOf } from './present-knowledge.ts'

export interface KnowledgeDeps {
  db: Db
  clock: Clock
  random: Random
}

export interface KnowledgeChange {
  /** For an item that does not exist yet. Defaults to a new id. */
  itemId?: string
  subject: string
  kind: KnowledgeContent['kind']
  /** Null deletes the item. */
  content: KnowledgeContent | null
  /** The version that the change is based on, 0 if there was none. Omitted for changes that do not depend on the current content. */
  basedOn?: number
  restoredNumber?: number
}

/**
 * Adds a version and its audit record. A change that changes nothing adds none. The caller has locked the knowledge and checked the
 * content.
 */
export async function changeKnowledge(
  deps: Omit<KnowledgeDeps, 'db'> & { tx: Tx },
  caller: Caller,
  change: KnowledgeChange,
): Promise<KnowledgeItem> {
  const { tx, clock } = deps
  const { organizationId } = caller
  const { kind, subject, content } = change
  const key = { organizationId, kind, subject }
  const before = await findKnowledgeItem(tx, key)
  if (change.basedOn !== undefined && change.basedOn !== (before?.version ?? 0)) throw changedMeanwhile(before?.version)
  if (before ? isDeepStrictEqual(before.content, content) : content === null) return before ?? missing()
  if (kind === 'metric') await requireUnmanaged(tx, caller, { kind, id: subject })
  await insertKnowledgeVersion(tx, {
    id: newOrderedId(deps, 'version'),
    itemId: before?.id ?? change.itemId ?? newId(deps.random, 'knowledge'),
    ...key,
    number: (before?.version ?? 0) + 1,
    content,
    words: content?.kind === 'metric' ? metricWords(organizationId, content) : null,
    restoredNumber: change.restoredNumber ?? null,
    changedBy: caller.userId,
    changedAt: clock.now(),
  })
  const after = (await findKnowledgeItem(tx, key))!
  await recordKnowledge(deps, caller, { before: before?.content ?? null, after, isRestored: change.restoredNumber !== undefined })
  return after
}

const missing = () => {
  throw new Refusal('knowledge_not_found', 'There is nothing to delete.')
}

export const changedMeanwhile = (currentVersion = 0) =>
  new Refusal('knowledge_changed', 'Someone else has changed this since you opened it. Reload, then repeat your change.', undefined, {
    currentVersion: String(currentVersion),
  })

export const metricWords = (organizationId: string, { name, synonyms, description }: Extract<KnowledgeContent, { kind: 'metric' }>) =>
  weightedWords(organizationId, { A: [name, ...synonyms].join(' '), B: description })

async function recordKnowledge(
  deps: Omit<KnowledgeDeps, 'db'> & { tx: Tx },
  caller: Caller,
  change: { before: KnowledgeContent | null; after: KnowledgeItem; isRestored: boolean },
): Promise<void> {
  const { before, after } = change
  const content = after.content ?? before!
  const details = { version: after.version, changes: changesOf(before ?? {}, after.content ?? {}) }
  if (content.kind === 'verified_query') {
    const action = after.content ? 'reference.verified' : 'reference.unverified'
    const { shortId, title, queryId } = content
    return recordAction(deps, caller, { action, subject: { type: 'reference', id: shortId, name: title }, details: { queryId } })
  }
  const action: AuditAction = change.isRestored ? 'knowledge.restored' : after.content ? 'knowledge.changed' : 'knowledge.deleted'
  const databaseName = await databaseNameOf(deps.tx, caller, content)
  const subject = { type: 'knowledge', id: after.id, name: nameOf(content, databaseName) } as const
  await recordAction(deps, caller, { action, subject, details })
}

async function databaseNameOf(tx: Tx, { organizationId }: Caller, content: KnowledgeContent): Promise<string | undefined> {
  if (!('databaseId' in content) || content.databaseId === null) return undefined
  return (await findDatabase(tx, { organizationId, configId: content.databaseId }))?.name
}
