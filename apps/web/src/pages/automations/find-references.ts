import type { FoundReference } from '../../api/references.ts'

type Titled = Pick<FoundReference, 'shortId' | 'title'>

/** Those whose title has every word of the search, or the one whose permalink it is. */
export function findByTitle<Item extends Titled>(references: Item[], search: string): Item[] {
  const shortId = shortIdIn(search)
  if (shortId !== undefined) return references.filter((reference) => reference.shortId === shortId)
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return references.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}

/** The shortId of a permalink that was pasted. */
export const shortIdIn = (text: string) => /\/q\/([^/?#\s]+)/.exec(text)?.[1]

/** A reference that is not known goes by its shortId. */
export const titleOf = (references: Titled[] | undefined, shortId: string): string =>
  references?.find((reference) => reference.shortId === shortId)?.title ?? shortId
