import { useSyncExternalStore } from 'react'
import { followEvents } from '../api/follow-events.ts'

/** One stream for all who show the count: it is opened with the first and ended with the last of them. */
let count: number | undefined
let stop: (() => void) | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  stop ??= followEvents({
    stream: 'GET /notifications/events',
    input: () => ({}),
    event: 'unread',
    onData: ({ unreadCount }) => tellUnreadCount(unreadCount),
  })
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stop?.()
    stop = undefined
  }
}

/** Takes in what an answer of the service already tells. */
export function tellUnreadCount(unreadCount: number): void {
  count = unreadCount
  for (const listener of listeners) listener()
}

/** How many notifications the person has not read yet, as it changes; undefined until it is known. */
export function useUnreadCount(): number | undefined {
  return useSyncExternalStore(subscribe, () => count)
}
