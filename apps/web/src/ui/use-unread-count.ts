import { useSyncExternalStore } from 'react'
import { followEvents } from '../api/follow-events.ts'

/** All components share one event stream, opened by the first subscriber and closed by the last. */
let count: number | undefined
let stop: (() => void) | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  stop ??= followEvents({
    stream: 'GET /notifications/events',
    input: () => ({}),
    event: 'unread',
    onData: ({ unreadCount }) => setUnreadCount(unreadCount),
  })
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stop?.()
    stop = undefined
  }
}

/** Sets the count from a response, without waiting for the stream. */
export function setUnreadCount(unreadCount: number): void {
  count = unreadCount
  for (const listener of listeners) listener()
}

/** The live number of unread notifications; undefined until it is known. */
export function useUnreadCount(): number | undefined {
  return useSyncExternalStore(subscribe, () => count)
}
