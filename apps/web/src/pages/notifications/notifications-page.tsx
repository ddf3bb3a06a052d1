import { listNotifications, markRead, type Notification } from '../../api/notifications.ts'
import { messageOf } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { usePages } from '../../api/use-pages.ts'
import { Link } from '../../location.tsx'
import { placeOf } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useTitle } from '../../ui/use-title.ts'
import { EmailSwitch } from './email-switch.tsx'

/** `/notifications`: what the signed-in person should know. */
export function NotificationsPage({ session }: { session: Session }) {
  useTitle('Notifications')
  const { loaded, more, reload, startOver } = usePages('notifications', listNotifications, (notification) => notification.id)
  const marking = useAction()
  const items = loaded.status === 'ready' ? loaded.value : []
  const mark = (ids?: string[]) =>
    marking.run(async () => {
      await markRead(ids)
      startOver()
    })
  return (
    <>
      <header className="page-head">
        <div className="title-row">
          <h1>Notifications</h1>
          {items.some(({ readAt }) => readAt === null) && (
            <Button onClick={() => mark()} disabled={marking.isBusy}>Mark all read</Button>
          )}
        </div>
      </header>
      {marking.message !== undefined && <Problem message={marking.message} />}
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <Problem message={messageOf(loaded.error)} onRetry={reload} />}
      {loaded.status === 'ready' && items.length === 0 && (
        <section className="empty">
          <h2>Nothing to tell</h2>
          <p>You are told here when one of your automations fails, and when a webhook endpoint of yours keeps failing.</p>
        </section>
      )}
      {items.length > 0 && (
        <ul className="card list notifications">
          {items.map((notification) => (
            <NotificationItem key={notification.id} notification={notification} onRead={() => mark([notification.id])} />
          ))}
        </ul>
      )}
      <LoadMore more={more} />
      <EmailSwitch isAdmin={session.role === 'admin'} />
    </>
  )
}

const kindWords: Record<Notification['kind'], string> = {
  run_failed: 'A run failed',
  endpoint_failing: 'An endpoint is failing',
  endpoint_disabled: 'An endpoint was disabled',
}

function NotificationItem({ notification, onRead }: { notification: Notification; onRead(): void }) {
  const { kind, message, link, createdAt, readAt } = notification
  const isUnread = readAt === null
  // What has no page yet is told all the same.
  const hasPage = placeOf(link.split(/[?#]/)[0]!) !== undefined
  return (
    <li className={isUnread ? 'unread' : undefined}>
      <p className="title">{kindWords[kind]}{isUnread && <Tag word="New" />}</p>
      <p className="as-written">{message}</p>
      <p className="facts soft small">
        <Time at={createdAt} />
        {/* Who follows it has read it. */}
        {hasPage && <Link href={link} onClick={isUnread ? onRead : undefined}>See what it is about</Link>}
        {isUnread && <Button onClick={onRead}>Mark read</Button>}
      </p>
    </li>
  )
}
