import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { newestNotificationsOptions, notificationListsKey } from '../api/notifications.ts'
import { messageOf } from '../api/request.ts'
import { paths } from '../paths.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { Loaded } from './loaded.tsx'
import { Problem } from './notice.tsx'
import { NotificationLine } from './notification-line.tsx'
import { Skeleton } from './skeleton.tsx'
import { TextLink } from './text-link.tsx'
import { useMarkRead } from './use-mark-read.ts'
import { useUnreadCount } from './use-unread-count.ts'

const sheet =
  'z-50 flex max-h-[min(36rem,80dvh)] w-96 max-w-[calc(100vw-1rem)] flex-col rounded-lg border border-line bg-surface ' +
  'shadow-xl outline-none'

/** The live unread count and the newest notifications. Only following a notification marks it as read, not opening the list. */
export function NotificationsBell() {
  const knownCount = useUnreadCount()
  const count = knownCount ?? 0
  const [isOpen, setIsOpen] = useState(false)
  useRefreshLists(knownCount)
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger asChild>
        <IconButton
          label={count === 0 ? 'Notifications' : `Notifications, ${count} unread`}
          className="relative"
          icon={
            <>
              <Bell aria-hidden="true" />
              {count > 0 && <Count count={count} />}
            </>
          }
        />
      </Popover.Trigger>
      <span role="status" className="sr-only">
        {count > 0 && `${count} unread ${count === 1 ? 'notification' : 'notifications'}`}
      </span>
      <Popover.Portal>
        <Popover.Content
          aria-label="Notifications"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className={sheet}
        >
          <NewestNotifications hasUnread={count > 0} onLeave={() => setIsOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Count({ count }: { count: number }) {
  return (
    <span
      aria-hidden="true"
      className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-danger px-1 text-center text-[0.65rem] leading-4 font-semibold text-on-danger"
    >
      {count > 99 ? '99+' : count}
    </span>
  )
}

/** Refreshes the lists whenever the unread count changes. */
function useRefreshLists(count: number | undefined): void {
  const client = useQueryClient()
  const before = useRef(count)
  useEffect(() => {
    if (before.current !== undefined && before.current !== count) {
      void client.invalidateQueries({ queryKey: notificationListsKey })
    }
    before.current = count
  }, [client, count])
}

function NewestNotifications({ hasUnread, onLeave }: { hasUnread: boolean; onLeave(): void }) {
  const query = useQuery(newestNotificationsOptions)
  const marking = useMarkRead()
  return (
    <>
      <header className="flex h-11 shrink-0 items-center gap-3 border-b border-line px-4">
        <h2 className="mr-auto">Notifications</h2>
        {hasUnread && (
          <Button kind="ghost" size="small" isBusy={marking.isPending} onClick={() => marking.mutate('all')}>
            Mark all as read
          </Button>
        )}
      </header>
      {marking.isError && <Problem message={messageOf(marking.error)} />}
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Loaded query={query} skeleton={<div className="p-4"><Skeleton rows={3} /></div>}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="px-4 py-8 text-center text-soft">You’re all caught up.</p>
            ) : (
              <ul className="divide-y divide-line">
                {items.map((notification) => (
                  <NotificationLine
                    key={notification.id}
                    notification={notification}
                    isShort
                    onFollow={() => {
                      if (notification.readAt === null) marking.mutate([notification.id])
                      onLeave()
                    }}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      <footer className="shrink-0 border-t border-line px-4 py-2.5">
        <TextLink href={paths.notifications} onClick={onLeave}>View all notifications</TextLink>
      </footer>
    </>
  )
}
