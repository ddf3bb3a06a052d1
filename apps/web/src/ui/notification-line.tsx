import type { ReactNode } from 'react'
import type { Notification } from '../api/notifications.ts'
import { Link } from '../location.tsx'
import { isPagePath } from '../paths.ts'
import { classNames } from './class-names.ts'
import { RelativeTime } from './time.tsx'

const kindWords: Record<Notification['kind'], string> = {
  run_failed: 'A run failed',
  endpoint_failing: 'An endpoint is failing',
  endpoint_disabled: 'An endpoint was disabled',
  sign_ins_failing: 'Failed sign-ins to your account',
}

/** One notification. Its title leads to what it is about, and all of the line with it; `actions` stand above that. */
export function NotificationLine(props: {
  notification: Notification
  isShort?: boolean
  actions?: ReactNode
  /** Whoever follows it has read it. */
  onFollow(): void
}) {
  const { kind, message, link, createdAt, readAt } = props.notification
  const isUnread = readAt === null
  // What has no page in this version is told all the same.
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
            {kindWords[kind]}
          </Link>
        ) : (
          kindWords[kind]
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
