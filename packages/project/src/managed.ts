import type { ItemKind, StoredItem } from './items.ts'
import { fileOf, keyOf } from './paths.ts'
import type { Plan } from './plan.ts'

/** The part of a project whose items can only be changed by a push. */
export interface ManagedTree {
  /** Where people find the files, such as `https://github.com/acme/analytics/blob/main/`. */
  url: string
  /** Paths of folders. Undefined: all files. */
  folders?: readonly string[]
}

/** Says that a file manages an item, or no longer does. */
export interface ManagedMark {
  kind: ItemKind
  path: string
  /** Null for an item that the push creates. */
  id: string | null
  /** Null: the item can be edited on the pages again. */
  url: string | null
}

/** What a push changes about which items are managed. Items without a file stay as they are. */
export function planMarks(
  { changes, unchanged }: Pick<Plan, 'changes' | 'unchanged'>,
  { stored, managed }: { stored: readonly StoredItem[]; managed: ManagedTree | undefined },
): ManagedMark[] {
  const urls = new Map(stored.map((item) => [keyOf(item), item.managedUrl ?? null]))
  const changed = changes.filter(({ content }) => content !== null).map(({ kind, path, id }) => ({ kind, path, id }))
  const same = [...unchanged].map(([path, { kind, id }]) => ({ kind, path, id }))
  return [...changed, ...same].flatMap(({ kind, path, id }) => {
    const url = managed && isInTree(managed, path) ? urlOf(managed, { kind, path }) : null
    const before = id === null ? null : (urls.get(keyOf({ kind, id })) ?? null)
    return url === before ? [] : [{ kind, path, id, url }]
  })
}

const isInTree = ({ folders }: ManagedTree, path: string): boolean =>
  !folders || folders.some((folder) => path === folder || path.startsWith(`${folder}/`))

function urlOf({ url }: ManagedTree, item: { kind: ItemKind; path: string }): string {
  const file = fileOf(item).split('/').map(encodeURIComponent).join('/')
  return `${url.replace(/\/+$/, '')}/${file}`
}
