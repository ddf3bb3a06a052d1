import { ChevronRight, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Chat, MarkdownMessage, Message } from '../../api/chats.ts'
import { Button } from '../../ui/button.tsx'
import { AnswerActions } from './answer/answer-actions.tsx'
import { FollowUps } from './answer/follow-ups.tsx'
import { isStopped } from './chat-state.ts'
import { type Exchange, tableOf } from './exchanges.ts'
import { MessageItem } from './messages/message-item.tsx'
import { MessageView } from './messages/message-view.tsx'
import { PreviewTable } from './messages/preview-table.tsx'
import { QuestionHeading } from './question/question-heading.tsx'

interface ExchangeViewProps {
  exchange: Exchange
  chat: Chat
  isLast: boolean
  /** Whether a question can be asked now. */
  canAsk: boolean
  isAsking: boolean
  onAsk(text: string, follows: number | null): void
  onChoose(question: number): void
  onFeedback(number: number, feedback: MarkdownMessage['feedback']): void
}

/** One run of an agent: the question, the answer with its chart or table, and the steps behind it, which are folded. */
export function ExchangeView(props: ExchangeViewProps) {
  const { exchange, chat, isLast, canAsk, onAsk } = props
  const { question, answer, draft, charts, knowledge, steps } = exchange
  const item = (message: Message) => (
    <MessageItem key={message.number} kind={isStopped(message) ? 'stopped' : message.kind}>
      <MessageView message={message} chat={chat} />
    </MessageItem>
  )
  const written = answer && 'figures' in answer ? answer : undefined
  const table = tableOf(exchange)
  const askInstead = question && canAsk ? (text: string) => onAsk(text, question.follows) : undefined
  return (
    <li data-exchange={exchange.number} className="scroll-mt-16">
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {question && (
          <li>
            <QuestionHeading
              chat={chat}
              question={question}
              isTitle={isTitle(question, chat)}
              isAsking={props.isAsking}
              onEdit={askInstead}
              onChoose={props.onChoose}
            />
          </li>
        )}
        {draft && item(draft)}
        {answer && item(answer)}
        {charts.map(item)}
        {table?.preview && (
          <li data-kind="table"><PreviewTable preview={table.preview} columns={table.columns} rowCount={table.rowCount} /></li>
        )}
        {written && (
          <li>
            <AnswerActions
              chat={chat}
              exchange={exchange}
              answer={written}
              onAskAgain={askInstead && question && (() => askInstead(question.text))}
              onFeedback={props.onFeedback}
            />
          </li>
        )}
        {answer?.kind === 'failure' && askInstead && question && (
          <li><Button size="small" icon={<RotateCcw />} onClick={() => askInstead(question.text)}>Ask again</Button></li>
        )}
        {knowledge && item(knowledge)}
        <FoldedSteps steps={steps} answer={answer}>
          {steps.map(item)}
        </FoldedSteps>
        {written && isLast && (
          <li className="empty:hidden">
            <FollowUps
              questions={written.followUps}
              isDisabled={!canAsk}
              onAsk={(text) => onAsk(text, chat.leaf)}
            />
          </li>
        )}
      </ol>
    </li>
  )
}

/** Whether the chat's title repeats the question that started it. */
const isTitle = (question: { text: string; follows: number | null }, chat: Chat) =>
  question.follows === null && question.text.trim().replaceAll(/\s+/g, ' ') === chat.title

/** The steps behind an answer. After a failure they are open, because the step that failed explains it. */
function FoldedSteps({ steps, answer, children }: { steps: Message[]; answer: Message | undefined; children: ReactNode }) {
  if (steps.length === 0) return null
  const label = !answer ? 'Steps so far' : answer.kind === 'failure' ? 'Steps' : 'How this was answered'
  return (
    <li data-kind="steps">
      <details className="group/steps" open={answer?.kind === 'failure' && !isStopped(answer)}>
        <summary className="flex w-fit list-none items-center gap-1.5 rounded text-[0.8125rem] text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-4 shrink-0 transition-transform group-open/steps:rotate-90" aria-hidden="true" />
          {label}
          <span className="text-xs">({steps.length} {steps.length === 1 ? 'step' : 'steps'})</span>
        </summary>
        <ol className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Steps">{children}</ol>
      </details>
    </li>
  )
}
