/** Words of a question that say nothing about what it is about. */
const fillers = new Set(
  (
    'a about all also am an and any are as at be been by can could did do does each for from get give had has have how i if in into is it its ' +
    'just last list long lot made make many may me month more most much my new no not now of on one or our out over per please show since so some ' +
    'tell than that the their them there these they this those time to today top up us was we week were what when where which who whose why will ' +
    'with would year yesterday you your'
  ).split(' '),
)

const maxWords = 6

/** The words of a question to search saved queries for, at most six. A question of only common words is searched for as it is. */
export function wordsToSearch(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  const telling = words.filter((word) => word.length > 1 && !fillers.has(word))
  return [...new Set(telling.length > 0 ? telling : words)].slice(0, maxWords)
}

/** Ranks what was found for each word on its own: by the number of words, then by the first rank. */
export function rankByWords<Item extends { id: string }>(found: Item[][]): Item[] {
  const ranked = new Map<string, { item: Item; words: number; rank: number }>()
  for (const items of found) {
    for (const [rank, item] of items.entries()) {
      const known = ranked.get(item.id)
      ranked.set(item.id, { item, words: (known?.words ?? 0) + 1, rank: Math.min(known?.rank ?? rank, rank) })
    }
  }
  return [...ranked.values()].sort((one, other) => other.words - one.words || one.rank - other.rank).map(({ item }) => item)
}
