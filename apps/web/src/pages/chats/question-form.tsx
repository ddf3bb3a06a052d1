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

/** The way to go on asking in a chat; what was typed stays until the service has taken it. */
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
    // While a word is being composed, Enter chooses it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    ask()
  }

  // While an agent is at work nothing can be asked, whether there is a model or not; one that is a model shows that there is.
  const isHidden = isBusy && !chat.canAsk && chat.run?.agent !== 'model'
  if (isHidden) return null
  if (!isBusy && !chat.canAsk) {
    return (
      <p className="text-xs text-soft">
        With a model you can go on asking here.{' '}
        {isAdmin ? <TextLink href={paths.agentSettings}>Set one up</TextLink> : 'An admin of your organization can set one up.'}
      </p>
    )
  }
  return (
    <form className="grid gap-2" onSubmit={submit}>
      <Field label="Ask about this" hint="Enter sends, Shift+Enter begins a new line.">
        <TextArea
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={sendOnEnter}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          placeholder={isBusy ? 'You can ask as soon as the agent is done.' : 'What would you like to know?'}
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
        Ask
      </Button>
    </form>
  )
}
