import type { FoundReference } from '../../api/references.ts'

type Titled = Pick<FoundReference, 'shortId' | 'title'>

/** References whose title contains every word of the search, or the one whose permalink was pasted. */
export function findByTitle<Item extends Titled>(references: Item[], search: string): Item[] {
  const shortId = shortIdIn(search)
  if (shortId !== undefined) return references.filter((reference) => reference.shortId === shortId)
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return references.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
}

/** The shortId in a pasted permalink. */
export const shortIdIn = (text: string) => /\/q\/([^/?#\s]+)/.exec(text)?.[1]

/** The title of a reference, or its shortId if unknown. */
export const titleOf = (references: Titled[] | undefined, shortId: string): string =>
  references?.find((reference) => reference.shortId === shortId)?.title ?? shortId
