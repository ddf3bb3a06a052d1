import { CalendarClock, RotateCcw, Save } from 'lucide-react'
import { useState } from 'react'
import type { Chat, MarkdownMessage } from '../../../api/chats.ts'
import { navigate } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { type Exchange, mainRunOf } from '../exchanges.ts'
import { FeedbackButtons, FeedbackRemark, useFeedback } from './feedback-buttons.tsx'
import { TeachButton } from './teach-button.tsx'
import { SaveAnswerDialog } from './save-answer-dialog.tsx'

interface AnswerActionsProps {
  chat: Chat
  exchange: Exchange
  answer: MarkdownMessage
  /** Undefined if it can't be asked again: it answers no question, or an agent is working. */
  onAskAgain: (() => void) | undefined
  onFeedback(number: number, feedback: MarkdownMessage['feedback']): void
}

/** What a reader can do with an answer. */
export function AnswerActions({ chat, exchange, answer, onAskAgain, onFeedback }: AnswerActionsProps) {
  const feedback = useFeedback({
    chatShortId: chat.shortId,
    message: answer,
    onChange: (given) => onFeedback(answer.number, given),
  })
  return (
    <div className="grid gap-2">
      <div className="-ml-2 flex flex-wrap items-center gap-y-1" role="group" aria-label="Answer">
        <CopyButton text={answer.text} label="Copy" kind="ghost" />
        <FeedbackButtons {...feedback} />
        {onAskAgain && <Button kind="ghost" size="small" icon={<RotateCcw />} onClick={onAskAgain}>Ask again</Button>}
        {exchange.question && <TeachButton chat={chat} answer={answer} question={exchange.question.text} />}
        {exchange.question && <KeepActions exchange={exchange} question={exchange.question.text} />}
      </div>
      <FeedbackRemark {...feedback} />
    </div>
  )
}

/** Saves the answer's SQL as a query, and schedules the question. Schedules check saved queries, so that one is saved first. */
function KeepActions({ exchange, question }: { exchange: Exchange; question: string }) {
  const [saving, setSaving] = useState<'query' | 'schedule'>()
  const toast = useToast()
  const run = mainRunOf(exchange)
  const schedule = (reference: string | undefined) => navigate(paths.newAutomationFrom({ question, reference }))
  const isSaved = !run || run.reference !== null
  const onSaved = (shortId: string) => {
    if (saving === 'schedule') return schedule(shortId)
    setSaving(undefined)
    toast.show({ message: 'Query saved.', action: { label: 'Open query', act: () => navigate(paths.permalink(shortId)) } })
  }
  return (
    <>
      {run && !run.reference && (
        <Button kind="ghost" size="small" icon={<Save />} onClick={() => setSaving('query')}>Save as query</Button>
      )}
      {run?.reference && (
        <ButtonLink kind="ghost" size="small" icon={<Save />} href={paths.permalink(run.reference.shortId)}>Open query</ButtonLink>
      )}
      <Button
        kind="ghost"
        size="small"
        icon={<CalendarClock />}
        onClick={() => (isSaved ? schedule(run?.reference?.shortId) : setSaving('schedule'))}
      >
        Schedule this
      </Button>
      {saving && run && (
        <SaveAnswerDialog
          runId={run.runId}
          question={question}
          visualization={exchange.charts.find((chart) => chart.runId === run.runId)?.visualization}
          {...(saving === 'schedule' && { reason: 'Automations check saved queries. Save this one to schedule it.' })}
          onSaved={onSaved}
          onClose={() => setSaving(undefined)}
        />
      )}
    </>
  )
}
