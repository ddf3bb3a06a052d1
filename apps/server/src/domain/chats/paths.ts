/**
 * One agent works in a chat at a time, so the messages from a question or instruction, its *opening*, up to the next one are an
 * *exchange*. Exchanges form a tree: each question follows an earlier exchange or starts the chat. A *path* is the way from the start of
 * the chat to one exchange, its *leaf*. Exchanges are named by the number of their opening.
 */
export interface Opening {
  number: number
  /** The exchange that it follows; null if it starts the chat; undefined: the one before it. */
  follows?: number | null | undefined
}

export interface Branch {
  follows: number | null
  questions: number[]
}

/** An exchange as messages with `from <= number < to`. */
export interface MessageRange {
  from: number
  to: number
}

export interface ChatTree {
  /** The exchange that each one follows, by number, in ascending order. */
  follows: ReadonlyMap<number, number | null>
  /** The newest exchange; null in an empty chat. */
  newest: number | null
  /** Whether it has all exchanges of the chat. Otherwise it has the newest ones, and paths begin with the first one that it has. */
  isWhole: boolean
}

/** `openings` in ascending order: all of the chat or, unless `isWhole`, the newest ones. */
export function treeOf(openings: readonly Opening[], { isWhole = true }: { isWhole?: boolean } = {}): ChatTree {
  const follows = new Map<number, number | null>()
  // The exchange before the oldest one of a part is unknown, so the oldest one is only there to be followed.
  const before = isWhole ? undefined : openings[0]
  let newest = before?.number ?? null
  for (const opening of before ? openings.slice(1) : openings) {
    const named = opening.follows
    // A question that names no earlier exchange is treated as one that names none.
    const isNamed = named === null || (named !== undefined && (follows.has(named) || (before !== undefined && named <= before.number)))
    follows.set(opening.number, isNamed ? named : newest)
    newest = opening.number
  }
  return { follows, newest, isWhole }
}

/** The exchanges from the start of the chat, or of the part that is known, to `leaf`, oldest first. */
export function pathTo({ follows }: ChatTree, leaf: number | null): number[] {
  const path: number[] = []
  for (let number = leaf; number !== null && follows.has(number); number = follows.get(number)!) path.push(number)
  return path.toReversed()
}

/** Whether the tree has this exchange and the one before it and, with them, all questions that were asked in its place. */
export function isPlaced({ follows, isWhole }: ChatTree, number: number): boolean {
  const followed = follows.get(number)
  return followed !== undefined && (isWhole || (followed !== null && follows.has(followed)))
}

/** The newest exchange that continues from this one, or itself: the leaf to show for someone who chooses it. */
export function newestFrom({ follows }: ChatTree, chosen: number): number {
  const reached = new Set([chosen])
  let newest = chosen
  for (const [number, followed] of follows) {
    if (followed === null || !reached.has(followed)) continue
    reached.add(number)
    newest = number
  }
  return newest
}

/** The places on the path where more than one question was asked. */
export function branchesOn({ follows }: ChatTree, path: readonly number[]): Branch[] {
  const questionsAt = Map.groupBy(follows.keys(), (number) => follows.get(number)!)
  return path
    .map((number) => follows.get(number)!)
    .map((followed) => ({ follows: followed, questions: questionsAt.get(followed)! }))
    .filter(({ questions }) => questions.length > 1)
}

/**
 * The last exchanges of a path, up to these numbers of exchanges and messages, but at least one. `messageCount` is that of the chat: the
 * newest exchange ends with the last message.
 */
export function lastExchanges(
  tree: ChatTree,
  path: readonly number[],
  { messageCount, atMost }: { messageCount: number; atMost: { exchanges: number; messages: number } },
): number[] {
  let messages = 0
  const newestFirst = rangesOf(tree, path.slice(-atMost.exchanges)).toReversed()
  const tooMany = newestFirst.findIndex(({ from, to }, index) => {
    messages += Math.max(Math.min(to, messageCount + 1) - from, 0)
    return index > 0 && messages > atMost.messages
  })
  return newestFirst
    .slice(0, tooMany === -1 ? undefined : tooMany)
    .map(({ from }) => from)
    .toReversed()
}

/** Where the messages of these exchanges are. */
export function rangesOf({ follows }: ChatTree, exchanges: readonly number[]): MessageRange[] {
  const starts = [...follows.keys()]
  const nextOf = new Map(starts.map((number, index) => [number, starts[index + 1] ?? messageNumberMax]))
  return exchanges.map((from) => ({ from, to: nextOf.get(from)! }))
}

/** More than a chat can have: the range of the newest exchange has no end yet. */
const messageNumberMax = 2 ** 31 - 1
