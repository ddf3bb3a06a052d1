import { ChevronLeft, ChevronRight, Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Chat, QuestionMessage } from '../../../api/chats.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { RelativeTime } from '../../../ui/time.tsx'
import { branchOf } from '../exchanges.ts'
import { EditQuestion } from './edit-question.tsx'

interface QuestionHeadingProps {
  chat: Chat
  question: QuestionMessage
  /** Whether the head of the page shows the question and its author already. */
  isTitle: boolean
  isAsking: boolean
  /** Asks another question in place of this one. Undefined if nothing can be asked now. */
  onEdit: ((text: string) => void) | undefined
  /** Shows the branch of another question. */
  onChoose(question: number): void
}

/** A question as the title of its exchange, with its author, its branches and a button to edit it. */
export function QuestionHeading({ chat, question, isTitle, isAsking, onEdit, onChoose }: QuestionHeadingProps) {
  const [isEditing, setIsEditing] = useState(false)
  if (isEditing && onEdit) {
    return <EditQuestion text={question.text} isAsking={isAsking} onAsk={onEdit} onCancel={() => setIsEditing(false)} />
  }
  return (
    <header className="grid gap-0.5" data-part="question">
      <h2 className={isTitle ? 'sr-only' : 'whitespace-pre-wrap [overflow-wrap:anywhere]'}>{question.text}</h2>
      <div className="-ml-1.5 flex flex-wrap items-center gap-x-2 text-xs text-soft empty:hidden [&>span:first-child]:pl-1.5">
        {!isTitle && <span>{question.user?.name ?? 'Question'}, <RelativeTime at={question.createdAt} /></span>}
        <Branches chat={chat} question={question} onChoose={onChoose} />
        {onEdit && <Button kind="ghost" size="small" icon={<Pencil />} onClick={() => setIsEditing(true)}>Edit question</Button>}
      </div>
    </header>
  )
}

function Branches({ chat, question, onChoose }: Pick<QuestionHeadingProps, 'chat' | 'question' | 'onChoose'>) {
  const branch = branchOf(question, chat)
  if (!branch) return null
  const { questions, at } = branch
  return (
    <span role="group" aria-label="Versions of this question" className="flex items-center">
      <IconButton
        label="Previous version"
        icon={<ChevronLeft />}
        className="size-7"
        disabled={at === 0}
        onClick={() => onChoose(questions[at - 1]!)}
      />
      <span>{at + 1} of {questions.length}</span>
      <IconButton
        label="Next version"
        icon={<ChevronRight />}
        className="size-7"
        disabled={at === questions.length - 1}
        onClick={() => onChoose(questions[at + 1]!)}
      />
    </span>
  )
}
