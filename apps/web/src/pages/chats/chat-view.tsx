import { WifiOff } from 'lucide-react'
import { Fragment } from 'react'
import { isAtWork } from '../../api/automation-runs.ts'
import type { Chat, ChatNews } from '../../api/chats.ts'
import { useIsAdmin } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Hint } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Status } from '../../ui/status.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { triggerLabels } from '../automations/labels.ts'
import { AgentProgress } from './agent-progress.tsx'
import { automationRunIn, statusOf } from './chat-state.ts'
import { ExchangeView } from './exchange-view.tsx'
import { exchangesIn } from './exchanges.ts'
import { MessageItem } from './messages/message-item.tsx'
import { PublishedEvent } from './published-event.tsx'
import { QuestionForm } from './question-form.tsx'
import { useFollowEnd } from './use-follow-end.ts'

export function ChatView({ chat, isConnected, onNews }: { chat: Chat; isConnected: boolean; onNews(news: ChatNews): void }) {
  useTitle(chat.title)
  const isAdmin = useIsAdmin()
  const { run } = chat
  const isBusy = run !== null && isAtWork(run)
  const automationRun = automationRunIn(chat)
  const endRef = useFollowEnd(chat.revision)
  return (
    <article className="mx-auto max-w-3xl">
      <PageHead
        title={chat.title}
        description={<About chat={chat} />}
        actions={<CopyButton text={chat.url} label="Copy link" size="medium" />}
      />
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Messages">
        {exchangesIn(chat.messages).map((exchange, at) => (
          <Fragment key={at}>
            <ExchangeView exchange={exchange} chat={chat} />
            {automationRun?.lastMessage && automationRun.runId === exchange.agentRunId && (
              <MessageItem kind="event">
                <PublishedEvent runId={automationRun.runId} isAdmin={isAdmin} />
              </MessageItem>
            )}
          </Fragment>
        ))}
      </ol>
      <div className="mt-4 grid gap-4">
        {isBusy && <AgentProgress key={run.id} chat={chat} run={run} />}
        <div role="status" className="empty:-mt-4">
          {!isConnected && (
            <Hint kind="warning">
              <p className="flex items-start gap-2">
                <WifiOff className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
                Connection lost. Reconnecting… New messages will appear once you’re back online.
              </p>
            </Hint>
          )}
        </div>
        <QuestionForm chat={chat} isBusy={isBusy} isAdmin={isAdmin} onAsked={onNews} />
      </div>
      <div ref={endRef} />
    </article>
  )
}

/** The status of the chat, its trigger, its time and its automation. */
function About({ chat }: { chat: Chat }) {
  const { run, automation } = chat
  const status = statusOf(chat)
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1" data-part="about">
      {status && <Status {...status} />}
      <span>{run && run.trigger !== 'question' && `${triggerLabels[run.trigger]}, `}<Time at={chat.createdAt} /></span>
      {automation && <span>Automation <TextLink href={paths.automation(automation.id)}>{automation.name}</TextLink></span>}
    </p>
  )
}
