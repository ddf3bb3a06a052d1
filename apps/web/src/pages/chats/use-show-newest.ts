import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Chat } from '../../api/chats.ts'

/**
 * Scrolls to the newest exchange: when a chat with several questions is opened, and after a question of one's own. A chat of an automation
 * opens with its report.
 */
export function useShowNewest(
  chat: Pick<Chat, 'automation' | 'leaf'>,
  exchangeCount: number,
): { listRef: RefObject<HTMLOListElement | null>; showNewest(): void } {
  const listRef = useRef<HTMLOListElement>(null)
  const isWanted = useRef(chat.automation === null && exchangeCount > 1)
  useLayoutEffect(() => {
    if (!isWanted.current) return
    isWanted.current = false
    listRef.current?.querySelector(':scope > [data-exchange]:last-of-type')?.scrollIntoView({ block: 'start' })
  }, [chat.leaf])
  return {
    listRef,
    showNewest: () => {
      isWanted.current = true
    },
  }
}
