import type { Caller } from '../../../model/caller.ts'
import type { Db } from '../../../store/db.ts'
import { askedWords } from '../../catalog/search-words.ts'
import { findBestReferences, type FoundReference } from '../../references/search-references.ts'

const perWord = 8
/** Each costs a search. The first words of a description say what it is about. */
const wordsMax = 10

/** Saved queries that match words of a description: those with the most words first, verified ones before others. */
export async function findCandidates(
  deps: { db: Db },
  caller: Caller,
  { description, count }: { description: string; count: number },
): Promise<FoundReference[]> {
  const found = new Map<string, { reference: FoundReference; words: number }>()
  for (const search of askedWords(description).slice(0, wordsMax)) {
    const { items } = await findBestReferences(deps, caller, { search, limit: perWord })
    for (const reference of items.filter(({ isOptimistic }) => !isOptimistic)) {
      const known = found.get(reference.shortId)
      found.set(reference.shortId, { reference, words: (known?.words ?? 0) + 1 })
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.words - a.words || Number(isVerified(b.reference)) - Number(isVerified(a.reference)))
    .slice(0, count)
    .map(({ reference }) => reference)
}

export const isVerified = ({ verification }: FoundReference): boolean => verification !== null && !verification.isOutdated
