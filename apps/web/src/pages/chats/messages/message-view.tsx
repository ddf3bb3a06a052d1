import type { ReactNode } from 'react'
import type { Chat, Message } from '../../../api/chats.ts'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { AnswerText } from '../answer/answer-text.tsx'
import { ProofLine } from '../answer/proof-line.tsx'
import { isStopped, isStoppedStep } from '../chat-state.ts'
import { ChartView } from './chart-view.tsx'
import { KnowledgeView } from './knowledge-view.tsx'
import { QueryRunView } from './query-run-view.tsx'
import { ToolCallView } from './tool-call-view.tsx'

/** Text written by a person, with its line breaks and spaces. */
const asWritten = 'whitespace-pre-wrap [overflow-wrap:anywhere]'

/** Renders one message of a chat according to its kind. */
export function MessageView({ message, chat }: { message: Message; chat: Chat }): ReactNode {
  switch (message.kind) {
    case 'instruction':
      return <Titled heading="Instructions"><p className={asWritten}>{message.text}</p></Titled>
    case 'note':
    case 'question':
      return <p className={asWritten}>{message.text}</p>
    case 'knowledge':
      return <KnowledgeView used={message.used} />
    case 'text':
      return <AnswerText text={message.text} figures={message.figures} />
    case 'summary':
    case 'answer':
      return (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <AnswerText text={message.text} figures={message.figures} />
          <ProofLine figures={message.figures} />
        </div>
      )
    case 'query_run':
      return <QueryRunView step={message} isStopped={isStoppedStep(message, chat)} />
    case 'tool_call':
      return <ToolCallView step={message} />
    case 'chart':
      return <ChartView step={message} />
    case 'reference':
      return <p>Saved as <TextLink href={paths.permalink(message.shortId)}>{message.title}</TextLink></p>
    case 'failure':
      return isStopped(message) ? (
        <p role="status" className={asWritten}>{message.reason}</p>
      ) : (
        <Failure reason={message.reason} chat={chat} isAnswer={isAnswer(message, chat)} />
      )
  }
}

function Titled({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <>
      <p className="mb-1.5 text-xs font-medium text-soft">{heading}</p>
      {children}
    </>
  )
}

const isAnswer = (message: Message, chat: Chat) =>
  chat.automation === null || message.agentRunId !== chat.messages.find(({ kind }) => kind === 'instruction')?.agentRunId

function Failure({ reason, chat, isAnswer: isOfAnswer }: { reason: string; chat: Chat; isAnswer: boolean }) {
  return (
    <div role="alert" className="grid gap-1.5">
      <p className="text-xs font-medium text-danger">{isOfAnswer ? 'No answer' : 'The run failed'}</p>
      <p className={asWritten}>{reason}</p>
      {isOfAnswer && <p>Ask again, or rephrase the question.</p>}
      {!isOfAnswer && chat.automation && (
        <p>
          Fix the cause, then run it again from{' '}
          <TextLink href={paths.automation(chat.automation.id)}>the automation</TextLink>.
        </p>
      )}
    </div>
  )
}
