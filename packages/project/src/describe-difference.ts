import { isDeepStrictEqual } from 'node:util'
import { canonical } from './canonical.ts'
import { type Contents, type ItemKind, nameOf, type StoredItem } from './items.ts'

const fieldWords: Record<string, string> = {
  sql: 'SQL',
  freshForSeconds: 'freshness',
  visualization: 'chart',
  folder: 'folder',
  enabled: 'whether it runs automatically',
}

/** What a content changes about an item. `words` follow the name of the item. */
export function describeDifference(
  stored: StoredItem,
  wanted: Contents[ItemKind],
): { action: 'change' | 'rename' | 'move'; fields: string[]; words: string } {
  const before: Record<string, unknown> = { ...(canonical(stored.kind, stored.content as never) as object) }
  const after: Record<string, unknown> = { ...(canonical(stored.kind, wanted as never) as object) }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const isRenamed = names.includes('title') || names.includes('name')
  const isMoved = names.includes('folder')
  const others = names.filter((name) => !['title', 'name', 'folder'].includes(name)).map((name) => fieldWords[name] ?? name)
  const parts = [
    isRenamed && `to “${nameOf(wanted)}”`,
    isMoved && 'into another folder',
    others.length > 0 && `${isRenamed || isMoved ? 'and change ' : ''}${others.join(', ')}`,
  ].filter((part) => part !== false)
  return {
    action: isRenamed ? 'rename' : isMoved ? 'move' : 'change',
    fields: names.map((name) => fieldWords[name] ?? name),
    words: isRenamed || isMoved ? ` ${parts.join(', ')}` : `: ${parts.join(', ')}`,
  }
}
