import { useMutation, useQueryClient } from '@tanstack/react-query'
import { markRead, notificationListsKey } from '../api/notifications.ts'
import { setUnreadCount } from './use-unread-count.ts'

/** Marks the given notifications, or all of them, as read. */
export function useMarkRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[] | 'all') => markRead(ids === 'all' ? undefined : ids),
    onSuccess: ({ unreadCount }) => setUnreadCount(unreadCount),
    onSettled: () => client.invalidateQueries({ queryKey: notificationListsKey }),
  })
}
