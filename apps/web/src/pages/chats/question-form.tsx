import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { askInChat, type Chat, type ChatNews } from '../../api/chats.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

/** The way to go on asking in a chat; what was typed stays until the service has taken it. */
export function QuestionForm(props: { chat: Chat; isBusy: boolean; isAdmin: boolean; onAsked(news: ChatNews): void }) {
  const { chat, isBusy, isAdmin } = props
  const [text, setText] = useState('')
  const asking = useAction()
  const canSend = !isBusy && !asking.isBusy && text.trim() !== ''

  function ask(): void {
    if (!canSend) return
    asking.run(async () => {
      props.onAsked(await askInChat(chat.shortId, text.trim()))
      setText('')
    })
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
      <p className="soft small no-model">
        With a model you can go on asking here.{' '}
        {isAdmin ? <Link href={paths.agentSettings}>Set one up</Link> : 'An admin of your organization can set one up.'}
      </p>
    )
  }
  return (
    <form className="question" onSubmit={submit}>
      <label>
        <span className="label">Ask about this</span>
        <textarea
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={sendOnEnter}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          placeholder={isBusy ? 'You can ask as soon as the agent is done.' : 'What would you like to know?'}
          disabled={isBusy}
          maxLength={20_000}
        />
      </label>
      <p className="soft small">Enter sends, Shift+Enter begins a new line.</p>
      <Button type="submit" kind="primary" disabled={!canSend}>{asking.isBusy ? 'Sending …' : 'Ask'}</Button>
      {asking.message !== undefined && <Problem message={asking.message} />}
    </form>
  )
}
