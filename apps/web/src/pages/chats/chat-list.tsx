import type { ListedChat } from '../../api/chats.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Status } from '../../ui/status.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { triggerLabels } from '../automations/labels.ts'

const row =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 text-ink no-underline hover:bg-raised ' +
  'sm:grid-cols-[minmax(0,1fr)_8rem_7rem_8rem]'

export function ChatList({ chats }: { chats: ListedChat[] }) {
  return (
    <Card>
      <ul className="divide-y divide-line">
        {chats.map((chat) => (
          <li key={chat.shortId}>
            <Link href={paths.chat(chat.shortId)} className={row}>
              <span className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{chat.title}</span>
              <span className="col-start-1 truncate text-soft sm:col-start-auto">{originOf(chat)}</span>
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

/** Who or what started the chat. */
const originOf = ({ startedBy, run }: ListedChat) => startedBy?.name ?? (run && triggerLabels[run.trigger])
