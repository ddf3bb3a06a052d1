import type { Chat, ChartStep, KnowledgeMessage, MarkdownMessage, Message, QueryRunStep, QuestionMessage } from '../../api/chats.ts'

/**
 * One run of an agent in a chat, arranged for reading: the question, the answer with its charts, and then the steps behind it.
 * The service stores messages in the order in which they happened, with the answer last.
 */
export interface Exchange {
  /** The number of its first message, which is its question or instruction. */
  number: number
  /** The agent's run; null for messages outside of a run. */
  agentRunId: string | null
  /** The question, if a person asked one. */
  question: QuestionMessage | undefined
  /** The report, answer or failure; undefined while the agent is working. */
  answer: Message | undefined
  /** The text that the agent is writing now, which may become the answer. */
  draft: MarkdownMessage | undefined
  charts: ChartStep[]
  /** What the organization knows that the agent was given. */
  knowledge: KnowledgeMessage | undefined
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
  const question = group.find((message) => message.kind === 'question')
  const charts = answer ? group.filter((message) => message.kind === 'chart') : []
  // An agent that started over was given it again.
  const knowledge = group.findLast((message) => message.kind === 'knowledge')
  const last = group.at(-1)
  const draft = !answer && last?.kind === 'text' ? last : undefined
  const shown = new Set<Message | undefined>([answer, question, draft, ...charts])
  const steps = group.filter((message) => !shown.has(message) && message.kind !== 'knowledge')
  return { number: group[0]!.number, agentRunId: runOf(group), question, answer, draft, charts, knowledge, steps }
}

/** The questions asked in the place of this one, oldest first, and its position among them. Undefined if it is the only one. */
export function branchOf(question: QuestionMessage, chat: Pick<Chat, 'branches'>): { questions: number[]; at: number } | undefined {
  const questions = chat.branches.find((branch) => branch.questions.includes(question.number))?.questions
  if (!questions || questions.length < 2) return undefined
  return { questions, at: questions.indexOf(question.number) }
}

type CompletedRun = QueryRunStep & { runId: string }

/**
 * The run that an answer mainly rests on: the one that most of its figures were computed from or, without figures, the last one that
 * completed. It may be missing if the figures come from a run of an earlier exchange.
 */
export function mainRunOf({ answer, steps }: Exchange): CompletedRun | undefined {
  const completed = steps.filter(
    (step): step is CompletedRun => step.kind === 'query_run' && step.status === 'completed' && step.runId !== null,
  )
  const figures = answer && 'figures' in answer ? answer.figures : []
  const figureCount = ({ runId }: CompletedRun) => figures.filter((figure) => figure.runId === runId).length
  return completed.reduce<CompletedRun | undefined>(
    (best, run) => (best && figureCount(best) > figureCount(run) ? best : run),
    undefined,
  )
}

/** The run whose rows are shown below the answer: its main run, unless a chart draws it or its only row is in the answer anyway. */
export function tableOf(exchange: Exchange): CompletedRun | undefined {
  if (exchange.answer?.kind !== 'answer' || exchange.charts.length > 0) return undefined
  const run = mainRunOf(exchange)
  return run?.preview && (run.rowCount ?? 0) > 1 ? run : undefined
}
