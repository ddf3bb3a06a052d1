import { useMutation, useQueryClient } from '@tanstack/react-query'
import { markRead, notificationListsKey } from '../api/notifications.ts'
import { tellUnreadCount } from './use-unread-count.ts'

/** Marks notifications read: those with the ids, or all of them. */
export function useMarkRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[] | 'all') => markRead(ids === 'all' ? undefined : ids),
    onSuccess: ({ unreadCount }) => tellUnreadCount(unreadCount),
    onSettled: () => client.invalidateQueries({ queryKey: notificationListsKey }),
  })
}
