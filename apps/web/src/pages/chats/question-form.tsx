import { useState } from 'react'
import type { Chat } from '../../api/chats.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { QuestionInput } from '../ask/question-input.tsx'
import { UnsupportedNotice } from '../ask/unsupported-notice.tsx'

interface QuestionFormProps {
  chat: Chat
  isBusy: boolean
  isAdmin: boolean
  isAsking: boolean
  /** Asks the question; calls `onAsked` once the service has accepted it. */
  onAsk(text: string, onAsked: () => void): void
}

/** Asks a follow-up question. Keeps the text until the service has accepted it. */
export function QuestionForm({ chat, isBusy, isAdmin, isAsking, onAsk }: QuestionFormProps) {
  const [text, setText] = useState('')
  // While an agent works, `canAsk` is false with or without a model. Only a run by a model shows that there is one.
  const isHidden = isBusy && !chat.canAsk && chat.run?.agent !== 'model'
  if (isHidden) return null
  if (!isBusy && !chat.canAsk) {
    return (
      <p className="text-xs text-soft">
        Connect an AI model to ask follow-up questions.{' '}
        {isAdmin ? <TextLink href={paths.agentSettings}>Set up a model</TextLink> : 'An admin can connect one.'}
      </p>
    )
  }
  return (
    <div className="grid gap-2">
      <UnsupportedNotice text={text} />
      <QuestionInput
        label="Ask a follow-up question"
        sendLabel="Send question"
        placeholder={isBusy ? 'You can ask once the agent is done.' : 'Ask a follow-up question'}
        value={text}
        isSending={isAsking}
        isDisabled={isBusy}
        onChange={setText}
        onSend={(question) => onAsk(question, () => setText(''))}
      />
    </div>
  )
}
