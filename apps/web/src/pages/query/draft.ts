import type { ParameterDefinition } from '../../api/references.ts'
import type { Values } from '../../parameters/values.ts'

/**
 * Unsaved work, kept in the browser: it survives a reload, a crash, a failed save and navigation. There is one draft per page
 * and user. The tab that wrote it restores it automatically; other tabs offer it first.
 */
export interface Draft {
  sql: string
  databaseId: string
  parameters: ParameterDefinition[]
  values: Values
  /** The query stored for this SQL when it was last run. */
  queryId: string | null
  writtenAt: string
}

/** The subset of the browser's Storage that is needed. */
export interface DraftStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface DraftStores {
  /** Shared by all tabs, and kept when they close. */
  persistent: DraftStore
  /** Private to this tab. */
  perTab: DraftStore
}

export const draftKey = (person: { userId: string; organizationId: string }, page: string) =>
  `querypost.draft.${person.organizationId}.${person.userId}.${page}`

export function readDraft({ persistent, perTab }: DraftStores, key: string): { draft: Draft; isFromThisTab: boolean } | undefined {
  const text = ignoreErrors(() => persistent.getItem(key))
  const draft = text ? parse(text) : undefined
  if (!draft) return undefined
  return { draft, isFromThisTab: ignoreErrors(() => perTab.getItem(key)) === draft.writtenAt }
}

/** Ignores storage that is full or disabled: editing must go on. */
export function writeDraft({ persistent, perTab }: DraftStores, key: string, draft: Draft): void {
  ignoreErrors(() => {
    persistent.setItem(key, JSON.stringify(draft))
    perTab.setItem(key, draft.writtenAt)
  })
}

export function deleteDraft({ persistent, perTab }: DraftStores, key: string): void {
  ignoreErrors(() => {
    persistent.removeItem(key)
    perTab.removeItem(key)
  })
}

function ignoreErrors<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

function parse(text: string): Draft | undefined {
  const draft = ignoreErrors(() => JSON.parse(text) as Partial<Draft> | null)
  if (typeof draft?.sql !== 'string' || typeof draft.databaseId !== 'string') return undefined
  if (typeof draft.writtenAt !== 'string') return undefined
  return {
    sql: draft.sql,
    databaseId: draft.databaseId,
    parameters: Array.isArray(draft.parameters) ? draft.parameters : [],
    values: typeof draft.values === 'object' && draft.values !== null ? draft.values : {},
    queryId: typeof draft.queryId === 'string' ? draft.queryId : null,
    writtenAt: draft.writtenAt,
  }
}
