import { useMutation } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { giveFeedback, type MarkdownMessage, withdrawFeedback } from '../../../api/chats.ts'
import { messageOf } from '../../../api/request.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { Problem } from '../../../ui/notice.tsx'

type Feedback = MarkdownMessage['feedback']

interface FeedbackProps {
  chatShortId: string
  message: Pick<MarkdownMessage, 'number' | 'feedback'>
  onChange(feedback: Feedback): void
}

/** Whether an answer helped, for the admins. Pressing the same button again withdraws it. */
export function useFeedback({ chatShortId, message, onChange }: FeedbackProps) {
  const { number, feedback } = message
  const [isRemarkOpen, setIsRemarkOpen] = useState(false)
  const sending = useMutation({
    mutationFn: async (given: Feedback) => {
      if (given) await giveFeedback(chatShortId, number, given)
      else await withdrawFeedback(chatShortId, number)
      return given
    },
    onSuccess: onChange,
  })
  const rate = (isHelpful: boolean) => {
    const isSame = feedback?.isHelpful === isHelpful
    setIsRemarkOpen(!isSame)
    sending.mutate(isSame ? null : { isHelpful, remark: null })
  }
  return { feedback, sending, isRemarkOpen, setIsRemarkOpen, rate }
}

type FeedbackState = ReturnType<typeof useFeedback>

const pressed = 'aria-pressed:bg-accent-wash aria-pressed:text-accent'

export function FeedbackButtons({ feedback, sending, rate }: FeedbackState) {
  return (
    <span role="group" aria-label="Feedback" className="flex">
      <IconButton
        label="Helpful"
        icon={<ThumbsUp />}
        className={pressed}
        aria-pressed={feedback?.isHelpful === true}
        disabled={sending.isPending}
        onClick={() => rate(true)}
      />
      <IconButton
        label="Not helpful"
        icon={<ThumbsDown />}
        className={pressed}
        aria-pressed={feedback?.isHelpful === false}
        disabled={sending.isPending}
        onClick={() => rate(false)}
      />
    </span>
  )
}

/** Asks for a remark after feedback was given, and says that it was received. */
export function FeedbackRemark({ feedback, sending, isRemarkOpen, setIsRemarkOpen }: FeedbackState) {
  const [remark, setRemark] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!feedback || remark.trim() === '') return
    sending.mutate({ ...feedback, remark: remark.trim() }, { onSuccess: () => setIsRemarkOpen(false) })
  }
  if (sending.isError) return <Problem message={messageOf(sending.error)} />
  if (!feedback) return null
  if (!isRemarkOpen) return feedback.remark === null ? null : <p className="text-xs text-soft">Your remark: {feedback.remark}</p>
  return (
    <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      <Field
        label={feedback.isHelpful ? 'Thank you. What was good about it?' : 'Thank you. What was wrong?'}
        hint="Optional. Admins can read it."
        className="grow basis-60"
      >
        <TextInput value={remark} maxLength={2000} onChange={(event) => setRemark(event.target.value)} />
      </Field>
      <span className="mb-5 flex gap-2">
        <Button type="submit" disabled={remark.trim() === ''} isBusy={sending.isPending}>Send remark</Button>
        <Button kind="ghost" onClick={() => setIsRemarkOpen(false)}>Close</Button>
      </span>
    </form>
  )
}
