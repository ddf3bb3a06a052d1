import { listReferences, type Reference } from '../../api/references.ts'
import { type Loaded, useLoaded } from '../../api/use-loaded.ts'

/** Where the search ends; older references are named by their permalink. */
const most = 1_000

/** The organization's references, to search among. */
export function useReferences(): Loaded<Reference[]> {
  return useLoaded('all references', readAll).loaded
}

async function readAll(signal: AbortSignal): Promise<Reference[]> {
  const items: Reference[] = []
  let cursor: string | undefined
  do {
    const page = await listReferences({ limit: 100, signal, ...(cursor !== undefined && { cursor }) })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined && items.length < most)
  return items
}

/** Those whose title has every word of the search, or the one whose permalink it is. */
export function findReferences(references: Reference[], search: string): Reference[] {
  const shortId = shortIdIn(search)
  if (shortId !== undefined) return references.filter((reference) => reference.shortId === shortId)
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return references.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}

/** The shortId of a permalink that was pasted. */
export const shortIdIn = (text: string) => /\/q\/([^/?#\s]+)/.exec(text)?.[1]

export function titleOf(references: Loaded<Reference[]>, shortId: string): string {
  const known = references.status === 'ready' && references.value.find((reference) => reference.shortId === shortId)
  return known ? known.title : shortId
}
