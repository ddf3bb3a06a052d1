import { useInfiniteQuery } from '@tanstack/react-query'
import { BellOff, CheckCheck } from 'lucide-react'
import { type Notification, notificationsOptions, type Shown } from '../../api/notifications.ts'
import { messageOf } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { NotificationLine } from '../../ui/notification-line.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useMarkRead } from '../../ui/use-mark-read.ts'
import { useTitle } from '../../ui/use-title.ts'
import { useUnreadCount } from '../../ui/use-unread-count.ts'
import { EmailSettings } from './email-settings.tsx'
import { useLocation } from '../../use-location.ts'

/** `/notifications`: the signed-in person's notifications; with `?show=unread` only the unread ones. */
export function NotificationsPage() {
  useTitle('Notifications')
  const { search } = useLocation()
  const show: Shown = new URLSearchParams(search).get('show') === 'unread' ? 'unread' : 'all'
  const unreadCount = useUnreadCount() ?? 0
  const marking = useMarkRead()
  return (
    <>
      <PageHead
        title="Notifications"
        description="Mentions and replies, failed runs, failing webhook endpoints and failed sign-ins"
        actions={
          unreadCount > 0 && (
            <Button icon={<CheckCheck />} isBusy={marking.isPending} onClick={() => marking.mutate('all')}>
              Mark all as read
            </Button>
          )
        }
      />
      {marking.isError && <Problem message={messageOf(marking.error)} />}
      <Tabs
        label="Filter notifications"
        current={show}
        onChange={(name) => navigate(`${paths.notifications}${name === 'all' ? '' : '?show=unread'}`, { replace: true })}
        tabs={[
          { name: 'all', label: 'All', content: <NotificationList show="all" onRead={(id) => marking.mutate([id])} /> },
          {
            name: 'unread',
            // The service counts up to 1,000 only.
            label: unreadCount > 0 ? `Unread (${unreadCount < 1000 ? unreadCount : '1,000+'})` : 'Unread',
            content: <NotificationList show="unread" onRead={(id) => marking.mutate([id])} />,
          },
        ]}
      />
      <EmailSettings />
    </>
  )
}

function NotificationList({ show, onRead }: { show: Shown; onRead(id: string): void }) {
  const query = useInfiniteQuery(notificationsOptions(show))
  return (
    <>
      <Loaded query={query}>
        {(items) => (items.length === 0 ? <NoNotifications show={show} /> : <Lines items={items} onRead={onRead} />)}
      </Loaded>
      <Pager query={query} />
    </>
  )
}

function Lines({ items, onRead }: { items: Notification[]; onRead(id: string): void }) {
  return (
    <Card>
      <ul aria-label="Notifications" className="divide-y divide-line">
        {items.map((notification) => {
          const read = () => {
            if (notification.readAt === null) onRead(notification.id)
          }
          return (
            <NotificationLine
              key={notification.id}
              notification={notification}
              onFollow={read}
              {...(notification.readAt === null && { actions: <Button size="small" onClick={read}>Mark as read</Button> })}
            />
          )
        })}
      </ul>
    </Card>
  )
}

function NoNotifications({ show }: { show: Shown }) {
  if (show === 'unread') {
    return (
      <EmptyState title="You’re all caught up" icon={<CheckCheck />}>
        <p>New notifications appear here.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No notifications yet" icon={<BellOff />}>
      <p>We’ll notify you here when somebody mentions you or replies to you, and when one of your automations or webhook endpoints fails.</p>
    </EmptyState>
  )
}
