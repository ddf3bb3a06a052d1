import type { ParameterDefinition } from '../../api/references.ts'
import type { Values } from '../../parameters/values.ts'

/**
 * What somebody has written and not saved yet, kept by the browser: it survives a reload, a crash, a refused save and the way to
 * another page. Each page has one draft for each person. The tab that wrote it takes it up again by itself; any other
 * offers it first.
 */
export interface Draft {
  sql: string
  databaseId: string
  parameters: ParameterDefinition[]
  values: Values
  /** The query that was stored for this text when it was last run. */
  queryId: string | null
  writtenAt: string
}

/** The subset of the browser's stores that is needed. */
export interface DraftStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface DraftStores {
  /** Kept. */
  lasting: DraftStore
  /** Only this tab's. */
  ofTab: DraftStore
}

export const draftKey = (person: { userId: string; organizationId: string }, page: string) =>
  `querypost.draft.${person.organizationId}.${person.userId}.${page}`

export function readDraft({ lasting, ofTab }: DraftStores, key: string): { draft: Draft; isOfThisTab: boolean } | undefined {
  const text = quietly(() => lasting.getItem(key))
  const draft = text ? parse(text) : undefined
  if (!draft) return undefined
  return { draft, isOfThisTab: quietly(() => ofTab.getItem(key)) === draft.writtenAt }
}

/** A store that is full or forbidden keeps nobody from writing on. */
export function writeDraft({ lasting, ofTab }: DraftStores, key: string, draft: Draft): void {
  quietly(() => {
    lasting.setItem(key, JSON.stringify(draft))
    ofTab.setItem(key, draft.writtenAt)
  })
}

export function dropDraft({ lasting, ofTab }: DraftStores, key: string): void {
  quietly(() => {
    lasting.removeItem(key)
    ofTab.removeItem(key)
  })
}

function quietly<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

function parse(text: string): Draft | undefined {
  const draft = quietly(() => JSON.parse(text) as Partial<Draft> | null)
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
