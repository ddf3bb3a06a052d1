import type { Message } from '../../api/chats.ts'

/**
 * One run of an agent in a chat, arranged for reading: the question, the answer with its charts, and then the steps behind it.
 * The service stores messages in the order in which they happened, with the answer last.
 */
export interface Exchange {
  /** The agent's run; null for messages outside of a run. */
  agentRunId: string | null
  /** The question, if a person asked one. */
  question: Message | undefined
  /** The report, answer or failure; undefined while the agent is working. */
  answer: Message | undefined
  charts: Message[]
  /** Instructions, notes, queries and tool calls, in the order in which they happened. */
  steps: Message[]
}

const isAnswer = ({ kind }: Message) => kind === 'summary' || kind === 'answer' || kind === 'failure'

/** Groups the messages of a chat by run. While a run has no answer yet, its charts stay among the steps. */
export function exchangesIn(messages: Message[]): Exchange[] {
  const groups: Message[][] = []
  for (const message of messages) {
    const current = groups.at(-1)
    if (!current || startsNewGroup(message, current)) groups.push([message])
    else current.push(message)
  }
  return groups.map(arrange)
}

/** A question starts a group; its run begins later, so the question itself may not name it. */
function startsNewGroup(message: Message, current: Message[]): boolean {
  if (message.kind === 'question' || message.kind === 'instruction') return true
  const run = runOf(current)
  return run !== null && message.agentRunId !== null && run !== message.agentRunId
}

const runOf = (group: Message[]) => group.find(({ agentRunId }) => agentRunId !== null)?.agentRunId ?? null

function arrange(group: Message[]): Exchange {
  const answer = group.find(isAnswer)
  const question = group.find(({ kind }) => kind === 'question')
  const charts = answer ? group.filter(({ kind }) => kind === 'chart') : []
  const steps = group.filter((message) => message !== answer && message !== question && !charts.includes(message))
  return { agentRunId: runOf(group), question, answer, charts, steps }
}
