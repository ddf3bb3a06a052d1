import type { Branch, Chat, ChatNews, EarlierMessages, Message } from './generated/schemas.ts'

/**
 * How a chat in the cache changes. It holds the messages of one path, in the order of their numbers. The same change may arrive twice
 * or late: from the event stream, in the answer to a question, and in a reloaded chat. Of two versions of a message, the one with the
 * higher revision is kept.
 */

/**
 * Merges changes from the event stream. It tells all branches, and messages are only ever added to the newest exchange. So this adds
 * what is new, which is right while the chat shows the newest exchange; `needsReload` tells when it does not.
 */
export function withNews(chat: Chat, news: ChatNews): Chat {
  const messages = new Map(chat.messages.map((message) => [message.number, message]))
  for (const message of news.messages) {
    const known = messages.get(message.number)
    if (!known || known.revision <= message.revision) messages.set(message.number, message)
  }
  const inOrder = [...messages.values()].sort(byNumber)
  const leaf = inOrder.findLast(startsExchange)?.number ?? chat.leaf
  if (news.revision < chat.revision) return { ...chat, leaf, messages: inOrder }
  return { ...chat, revision: news.revision, run: news.run, canAsk: news.canAsk, leaf, messages: inOrder }
}

/**
 * Whether the chat has to be loaded again because the news is about another branch: a question that does not continue the path or,
 * if the path was chosen, anything new, which may belong elsewhere.
 */
export function needsReload(chat: Chat, news: ChatNews, isPathChosen: boolean): boolean {
  const known = new Set(chat.messages.map(({ number }) => number))
  const oldest = chat.messages[0]?.number ?? 0
  const added = news.messages.filter(({ number }) => number > oldest && !known.has(number))
  if (isPathChosen) return added.length > 0
  const question = added.find((message) => message.kind === 'question')
  return question !== undefined && question.follows !== chat.leaf
}

/** Updates the messages that are shown, and adds none. A question asked in the place of a shown one becomes another version of it. */
export function withKnownMessages(chat: Chat, news: ChatNews): Chat {
  const known = new Set(chat.messages.map(({ number }) => number))
  const branches = news.messages.reduce((before, message) => withVersion(before, message, chat.messages), chat.branches)
  return withNews({ ...chat, branches }, { ...news, messages: news.messages.filter(({ number }) => known.has(number)) })
}

function withVersion(branches: Branch[], added: Message, shown: Message[]): Branch[] {
  if (added.kind !== 'question') return branches
  const { follows, number } = added
  const inPlace = shown.find((message) => message.kind === 'question' && message.follows === follows)
  if (!inPlace || inPlace.number === number) return branches
  const questions = branches.find((branch) => branch.follows === follows)?.questions ?? [inPlace.number]
  const all = [...new Set([...questions, number])].sort((one, other) => one - other)
  return [...branches.filter((branch) => branch.follows !== follows), { follows, questions: all }]
}

/**
 * A chat that was loaded again. Keeps earlier exchanges of the same path, which the answer leaves out, and changes that the event
 * stream delivered while the request was running.
 */
export function reloadedChat(known: Chat, answer: Chat): Chat {
  const first = answer.messages[0]
  const isSamePath = first !== undefined && known.messages.some(({ number }) => number === first.number)
  const earlier = isSamePath ? known.messages.filter(({ number }) => number < first.number) : []
  const later = known.messages.filter(({ revision, number }) => revision > answer.revision && number >= (first?.number ?? 0))
  const { hasEarlier, branches } = known
  const reloaded = earlier.length > 0 ? withEarlier(answer, { messages: earlier, branches, hasEarlier }) : answer
  if (known.revision <= answer.revision) return reloaded
  return withNews(reloaded, { revision: known.revision, run: known.run, canAsk: known.canAsk, messages: later })
}

/** Adds the exchanges before those that are shown. */
export function withEarlier(chat: Chat, { messages, branches, hasEarlier }: EarlierMessages): Chat {
  const known = new Set(chat.messages.map(({ number }) => number))
  const branchesBefore = branches.filter(({ follows }) => !chat.branches.some((branch) => branch.follows === follows))
  return {
    ...chat,
    hasEarlier,
    branches: [...branchesBefore, ...chat.branches],
    messages: [...messages.filter(({ number }) => !known.has(number)), ...chat.messages].sort(byNumber),
  }
}

/** Changes one message, such as the reader's feedback on it. */
export function withMessage(chat: Chat, number: number, change: (message: Message) => Message): Chat {
  return { ...chat, messages: chat.messages.map((message) => (message.number === number ? change(message) : message)) }
}

const byNumber = (one: Message, other: Message) => one.number - other.number

const startsExchange = ({ kind }: Message) => kind === 'question' || kind === 'instruction'
