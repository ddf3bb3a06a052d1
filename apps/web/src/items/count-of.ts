import type { ItemKind } from '../api/items.ts'

/** Such as “1 board” or “3 queries”. */
export function countOf(kind: ItemKind, count: number): string {
  const noun = kind === 'board' ? ['board', 'boards'] : ['query', 'queries']
  return `${count} ${noun[count === 1 ? 0 : 1]}`
}
