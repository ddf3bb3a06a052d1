import type { ReactNode } from 'react'
import type { Notification } from '../api/notifications.ts'
import { Link } from '../location.tsx'
import { isPagePath } from '../paths.ts'
import { classNames } from './class-names.ts'
import { RelativeTime } from './time.tsx'

const kindLabels: Record<Notification['kind'], string> = {
  run_failed: 'Run failed',
  endpoint_failing: 'Webhook endpoint failing',
  endpoint_disabled: 'Webhook endpoint disabled',
  sign_ins_failing: 'Failed sign-ins to your account',
  comment_mention: 'You were mentioned',
  comment_reply: 'New reply',
  channel_disabled: 'Channel disabled',
  report_failed: 'Report failed',
  address_bounced: 'Report can’t be delivered',
  alert_fired: 'Alert is firing',
}

/** One notification. The whole line is a link, with `actions` on top of it. */
export function NotificationLine(props: {
  notification: Notification
  isShort?: boolean
  actions?: ReactNode
  /** Called when the link is followed, which marks the notification as read. */
  onFollow(): void
}) {
  const { kind, message, link, createdAt, readAt } = props.notification
  const isUnread = readAt === null
  // Show the notification even if this version has no page for it.
  const hasPage = isPagePath(link.split(/[?#]/)[0]!)
  return (
    <li
      data-unread={isUnread}
      className="relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 px-4 py-3 has-[a]:hover:bg-raised"
    >
      <span className={classNames('mt-1.5 size-2 rounded-full', isUnread && 'bg-accent')} aria-hidden="true" />
      <p className="font-medium">
        {hasPage ? (
          <Link href={link} onClick={props.onFollow} className="text-ink no-underline after:absolute after:inset-0">
            {kindLabels[kind]}
          </Link>
        ) : (
          kindLabels[kind]
        )}
        {isUnread && <span className="sr-only"> (unread)</span>}
      </p>
      <span className="text-xs text-soft"><RelativeTime at={createdAt} /></span>
      <p
        className={classNames(
          'col-start-2 text-soft [overflow-wrap:anywhere]',
          props.isShort ? 'col-span-2 line-clamp-2' : 'col-span-2 whitespace-pre-line',
        )}
      >
        {message}
      </p>
      {props.actions !== undefined && <div className="relative col-start-2 col-span-2 mt-1 flex gap-2">{props.actions}</div>}
    </li>
  )
}
