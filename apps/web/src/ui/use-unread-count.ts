import { useEffect, useState } from 'react'
import { followEvents } from '../api/follow-events.ts'
import { unreadEventsAddress } from '../api/notifications.ts'

/** How many notifications nobody has read yet, as it changes. */
export function useUnreadCount(): number {
  const [unreadCount, setUnreadCount] = useState(0)
  useEffect(
    () =>
      followEvents<{ unreadCount: number }>({
        address: () => unreadEventsAddress,
        event: 'unread',
        onData: (data) => setUnreadCount(data.unreadCount),
      }),
    [],
  )
  return unreadCount
}
