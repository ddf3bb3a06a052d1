import { isAtWork } from '../../api/automation-runs.ts'
import { listChats, type ListedChat } from '../../api/chats.ts'
import { messageOf } from '../../api/request.ts'
import { usePages } from '../../api/use-pages.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { usePolling } from '../../ui/use-polling.ts'
import { useTitle } from '../../ui/use-title.ts'

const lookEveryMs = 3_000

/** `/chats`: what agents did, newest first. */
export function ChatsPage() {
  useTitle('Chats')
  const { loaded, more, reload } = usePages('chats', listChats, (chat) => chat.shortId)
  const isUnderWay = loaded.status === 'ready' && loaded.value.some(({ run }) => run && isAtWork(run))
  usePolling({ isWanted: isUnderWay, everyMs: lookEveryMs, look: reload })
  return (
    <>
      <header className="page-head">
        <h1>Chats</h1>
        <p className="soft">What agents did and said, newest first</p>
      </header>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <Problem message={messageOf(loaded.error)} onRetry={reload} />}
      {loaded.status === 'ready' && <Chats items={loaded.value} />}
      <LoadMore more={more} />
    </>
  )
}

function Chats({ items }: { items: ListedChat[] }) {
  if (items.length === 0) {
    return (
      <section className="empty">
        <h2>No chats yet</h2>
        <p>Every run of an automation opens one.</p>
        <p><Link href={paths.automations}>All automations</Link></p>
      </section>
    )
  }
  return (
    <ul className="card list">
      {items.map((chat) => (
        <li key={chat.shortId}>
          <Link href={paths.chat(chat.shortId)}>
            <span className="title">{chat.title}</span>
            <span className="facts soft small">
              {chat.run && <Status status={chat.run.status} />}
              <Time at={chat.createdAt} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
