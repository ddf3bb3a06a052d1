import { useInfiniteQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { type ListedChat, chatsOptions } from '../../api/chats.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Status } from '../../ui/status.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { triggerLabels } from '../automations/labels.ts'

/** `/chats`: reports and answers, newest first. */
export function ChatsPage() {
  useTitle('Chats')
  const query = useInfiniteQuery(chatsOptions)
  return (
    <>
      <PageHead title="Chats" description="Reports and answers, newest first" />
      <Loaded query={query}>{(items) => (items.length === 0 ? <NoChats /> : <Chats items={items} />)}</Loaded>
      <Pager query={query} />
    </>
  )
}

const row =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 text-ink no-underline hover:bg-raised ' +
  'sm:grid-cols-[minmax(0,1fr)_8rem_7rem_8rem]'

function Chats({ items }: { items: ListedChat[] }) {
  return (
    <Card>
      <ul className="divide-y divide-line">
        {items.map((chat) => (
          <li key={chat.shortId}>
            <Link
              href={paths.chat(chat.shortId)}
              className={row}
            >
              <span className="font-medium [overflow-wrap:anywhere]">{chat.title}</span>
              <span className="col-start-1 text-soft sm:col-start-auto">{chat.run && triggerLabels[chat.run.trigger]}</span>
              <span className="max-sm:col-start-2 max-sm:row-start-1 max-sm:justify-self-end">
                {chat.run && <Status status={chat.run.status} isStopped={chat.run.isStopped} />}
              </span>
              <span className="text-right text-soft"><RelativeTime at={chat.createdAt} /></span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function NoChats() {
  return (
    <EmptyState
      title="No chats yet"
      icon={<MessagesSquare />}
      action={<ButtonLink href={paths.automations}>Open automations</ButtonLink>}
    >
      <p>Each automation run opens a chat with its report and every step behind it.</p>
    </EmptyState>
  )
}
