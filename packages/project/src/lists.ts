import { type Contents, type ItemKind, itemKinds, type StoredItem } from './items.ts'
import type { PlannedChange } from './plan.ts'

/** The API has a list for each kind of item. */
export const listNames = {
  folder: 'folders',
  query: 'queries',
  board: 'boards',
  automation: 'automations',
  metric: 'metrics',
  question_set: 'questionSets',
} as const satisfies Record<ItemKind, string>

type Lists<Extra> = { [Kind in ItemKind as (typeof listNames)[Kind]]: (Extra & { content: Contents[Kind] })[] }

export type ProjectLists = Lists<{ id: string; hash: string; managedUrl: string | null }>

export function toLists(items: readonly StoredItem[]): ProjectLists {
  const listOf = (wanted: ItemKind) =>
    items.filter(({ kind }) => kind === wanted).map(({ id, hash, managedUrl = null, content }) => ({ id, hash, managedUrl, content }))
  return Object.fromEntries(itemKinds.map((kind) => [listNames[kind], listOf(kind)])) as ProjectLists
}

export const fromLists = (lists: { [Name in keyof ProjectLists]: { id: string; hash: string; managedUrl?: string | null; content: unknown }[] }): StoredItem[] =>
  itemKinds.flatMap((kind) => lists[listNames[kind]].map((item) => ({ ...item, kind }) as StoredItem))

export interface ChangeLists extends Partial<Lists<{ path: string; id: string | null; expectedHash: string | null }>> {
  deletions: { kind: ItemKind; path: string; id: string; expectedHash: string }[]
}

/** The body of a request that applies the changes. */
export function toChangeLists(changes: readonly PlannedChange[]): ChangeLists {
  const listOf = (wanted: ItemKind) =>
    changes
      .filter(({ kind, content }) => kind === wanted && content)
      .map(({ path, id, expectedHash, content }) => ({ path, id, expectedHash, content }))
  const lists = Object.fromEntries(itemKinds.map((kind) => [listNames[kind], listOf(kind)])) as Omit<ChangeLists, 'deletions'>
  const deleted = changes.filter(({ content }) => content === null)
  return { ...lists, deletions: deleted.map(({ kind, path, id, expectedHash }) => ({ kind, path, id: id!, expectedHash: expectedHash! })) }
}
