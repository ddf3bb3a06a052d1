import { Fragment } from 'react'
import { isAtWork } from '../../api/automation-runs.ts'
import type { Chat, ChatNews } from '../../api/chats.ts'
import type { Session } from '../../api/session.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Hint } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { triggerWords } from '../automations/words.ts'
import { AgentAtWork } from './agent-at-work.tsx'
import { automationRunIn, statusOf } from './chat-state.ts'
import { MessageView } from './messages/message-view.tsx'
import { PublishedEvent } from './published-event.tsx'
import { QuestionForm } from './question-form.tsx'
import { useFollowEnd } from './use-follow-end.ts'

export function ChatView(props: { chat: Chat; isConnected: boolean; session: Session; onNews(news: ChatNews): void }) {
  const { chat, isConnected, session } = props
  useTitle(chat.title)
  const { run, automation } = chat
  const isBusy = run !== null && isAtWork(run)
  const automationRun = automationRunIn(chat)
  const status = statusOf(chat)
  const endRef = useFollowEnd(chat.revision)
  return (
    <article className="chat">
      <header className="page-head">
        <div className="title-row">
          <h1>{chat.title}</h1>
          <CopyButton text={chat.url} label="Copy link" />
        </div>
        <p className="facts soft small">
          {status && <Status status={status} />}
          <span>{run && run.trigger !== 'question' && `${triggerWords[run.trigger]}, `}<Time at={chat.createdAt} /></span>
          {automation && <span>Automation <Link href={paths.automation(automation.id)}>{automation.name}</Link></span>}
        </p>
      </header>
      <ol className="messages" aria-label="Messages">
        {chat.messages.map((message) => (
          <Fragment key={message.number}>
            <li className={`message ${message.kind}`}>
              <MessageView message={message} chat={chat} />
            </li>
            {automationRun?.lastMessage === message && (
              <li className="message event">
                <PublishedEvent runId={automationRun.runId} />
              </li>
            )}
          </Fragment>
        ))}
      </ol>
      {isBusy && <AgentAtWork key={run.id} chat={chat} run={run} />}
      {!isConnected && (
        <Hint>The connection is lost; trying again. What happens meanwhile is shown as soon as it is back.</Hint>
      )}
      <QuestionForm chat={chat} isBusy={isBusy} isAdmin={session.role === 'admin'} onAsked={props.onNews} />
      <div ref={endRef} />
    </article>
  )
}
