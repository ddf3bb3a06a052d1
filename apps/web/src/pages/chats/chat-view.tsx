import { WifiOff } from 'lucide-react'
import { Fragment } from 'react'
import { withMessage } from '../../api/chat-changes.ts'
import { isAtWork } from '../../api/automation-runs.ts'
import type { Chat } from '../../api/chats.ts'
import { messageOf } from '../../api/request.ts'
import { useIsAdmin } from '../../api/session.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Status } from '../../ui/status.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { triggerLabels } from '../automations/labels.ts'
import { AgentProgress } from './agent-progress.tsx'
import { ChatMenu } from './chat-menu.tsx'
import { automationRunIn, statusOf } from './chat-state.ts'
import { EarlierMessages } from './earlier-messages.tsx'
import { ExchangeView } from './exchange-view.tsx'
import { exchangesIn } from './exchanges.ts'
import { MessageItem } from './messages/message-item.tsx'
import { PublishedEvent } from './published-event.tsx'
import { QuestionForm } from './question-form.tsx'
import { useAsking } from './use-asking.ts'
import { useFollowEnd } from './use-follow-end.ts'
import { useShowNewest } from './use-show-newest.ts'

interface ChatViewProps {
  chat: Chat
  /** The question whose path was chosen, if any. */
  leaf: number | undefined
  isConnected: boolean
  onChange(change: (chat: Chat) => Chat): void
}

export function ChatView({ chat, leaf, isConnected, onChange }: ChatViewProps) {
  useTitle(chat.title)
  const isAdmin = useIsAdmin()
  const asking = useAsking(chat)
  const { run } = chat
  const exchanges = exchangesIn(chat.messages)
  const last = exchanges.at(-1)
  const isBusy = run !== null && isAtWork(run)
  const canAsk = chat.canAsk && !isBusy && !asking.isPending
  const automationRun = automationRunIn(chat)
  const endRef = useFollowEnd(chat.revision)
  const { listRef, showNewest } = useShowNewest(chat, exchanges.length)
  const ask = (text: string, follows: number | null, onAsked?: () => void) =>
    asking.mutate({ text, follows }, { onSuccess: () => (showNewest(), onAsked?.()) })
  return (
    <article className="mx-auto max-w-3xl">
      <PageHead
        title={chat.title}
        description={<About chat={chat} />}
        actions={
          <>
            <CopyButton text={chat.url} label="Copy link" size="medium" />
            {chat.canEdit && <ChatMenu chat={chat} onChange={onChange} />}
          </>
        }
      />
      {chat.hasEarlier && <EarlierMessages chat={chat} leaf={leaf} onChange={onChange} />}
      <ol ref={listRef} className="grid grid-cols-[minmax(0,1fr)] gap-8" aria-label="Messages">
        {exchanges.map((exchange) => (
          <Fragment key={exchange.number}>
            <ExchangeView
              exchange={exchange}
              chat={chat}
              isLast={exchange === last}
              canAsk={canAsk}
              isAsking={asking.isPending}
              onAsk={ask}
              onChoose={(question) => navigate(paths.chat(chat.shortId, { leaf: String(question) }))}
              onFeedback={(number, feedback) =>
                onChange((before) => withMessage(before, number, (message) => ('feedback' in message ? { ...message, feedback } : message)))
              }
            />
            {isAdmin && automationRun?.lastMessage && automationRun.runId === exchange.agentRunId && (
              <MessageItem kind="event">
                <PublishedEvent runId={automationRun.runId} />
              </MessageItem>
            )}
          </Fragment>
        ))}
      </ol>
      <div className="sticky bottom-0 z-10 mt-4 grid gap-3 bg-paper pt-2 pb-4">
        {isBusy && <AgentProgress key={run.id} chat={chat} run={run} exchange={last} />}
        <div role="status" className="empty:hidden">
          {!isConnected && (
            <Hint kind="warning">
              <p className="flex items-start gap-2">
                <WifiOff className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
                Connection lost. Reconnecting… New messages will appear once you’re back online.
              </p>
            </Hint>
          )}
        </div>
        {asking.isError && <Problem message={messageOf(asking.error)} />}
        <QuestionForm
          chat={chat}
          isBusy={isBusy}
          isAdmin={isAdmin}
          isAsking={asking.isPending}
          onAsk={(text, onAsked) => ask(text, chat.leaf, onAsked)}
        />
      </div>
      <div ref={endRef} />
    </article>
  )
}

/** The status of the chat, its author or trigger, its time and its automation. */
function About({ chat }: { chat: Chat }) {
  const { run, automation, startedBy } = chat
  const status = statusOf(chat)
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1" data-part="about">
      {status && automation && <Status {...status} />}
      <span>
        {startedBy && `${startedBy.name}, `}
        {!startedBy && run && run.trigger !== 'question' && `${triggerLabels[run.trigger]}, `}
        <Time at={chat.createdAt} />
      </span>
      {automation && <span>Automation <TextLink href={paths.automation(automation.id)}>{automation.name}</TextLink></span>}
    </p>
  )
}
