import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Chat, Message } from '../../api/chats.ts'
import { isStopped } from './chat-state.ts'
import type { Exchange } from './exchanges.ts'
import { MessageItem } from './messages/message-item.tsx'
import { MessageView } from './messages/message-view.tsx'

/** One run of an agent: the answer first, and the steps behind it folded. While the agent works, its steps are open. */
export function ExchangeView({ exchange, chat }: { exchange: Exchange; chat: Chat }) {
  const { question, answer, charts, steps } = exchange
  const item = (message: Message) => (
    <MessageItem key={message.number} kind={isStopped(message) ? 'stopped' : message.kind}>
      <MessageView message={message} chat={chat} />
    </MessageItem>
  )
  // A failure is explained by the step that failed, so its steps stay open.
  const isFolded = answer !== undefined && answer.kind !== 'failure'
  return (
    <>
      {question && item(question)}
      {answer && item(answer)}
      {charts.map(item)}
      {isFolded ? <FoldedSteps steps={steps}>{steps.map(item)}</FoldedSteps> : steps.map(item)}
    </>
  )
}

function FoldedSteps({ steps, children }: { steps: Message[]; children: ReactNode }) {
  if (steps.length === 0) return null
  return (
    <li data-kind="steps">
      <details className="group/steps">
        <summary className="flex w-fit list-none items-center gap-1.5 rounded text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-4 shrink-0 transition-transform group-open/steps:rotate-90" aria-hidden="true" />
          How this was answered
          <span className="text-xs">({steps.length} {steps.length === 1 ? 'step' : 'steps'})</span>
        </summary>
        <ol className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Steps">{children}</ol>
      </details>
    </li>
  )
}
