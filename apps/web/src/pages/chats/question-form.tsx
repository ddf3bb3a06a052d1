import { useMutation } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { askInChat, type Chat, type ChatNews } from '../../api/chats.ts'
import { messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'

/** Asks a follow-up question. Keeps the text until the service has accepted it. */
export function QuestionForm(props: { chat: Chat; isBusy: boolean; isAdmin: boolean; onAsked(news: ChatNews): void }) {
  const { chat, isBusy, isAdmin } = props
  const [text, setText] = useState('')
  const asking = useMutation({
    mutationFn: (question: string) => askInChat(chat.shortId, question),
    onSuccess: (news) => {
      props.onAsked(news)
      setText('')
    },
  })
  const canSend = !isBusy && !asking.isPending && text.trim() !== ''
  const ask = () => {
    if (canSend) asking.mutate(text.trim())
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    ask()
  }
  const sendOnEnter = (event: KeyboardEvent) => {
    // During IME composition, Enter confirms the word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    ask()
  }

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
    <form className="grid gap-2" onSubmit={submit}>
      <Field label="Ask a follow-up question" hint="Enter to send, Shift+Enter for a new line">
        <TextArea
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={sendOnEnter}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          placeholder={isBusy ? 'You can ask once the agent is done.' : 'What would you like to know?'}
          disabled={isBusy}
          maxLength={20_000}
        />
      </Field>
      {asking.isError && <Problem message={messageOf(asking.error)} />}
      <Button
        type="submit"
        kind="primary"
        icon={<ArrowUp />}
        className="justify-self-end"
        disabled={!canSend}
        isBusy={asking.isPending}
      >
        Send question
      </Button>
    </form>
  )
}
