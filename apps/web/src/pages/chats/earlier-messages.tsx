import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { withEarlier } from '../../api/chat-changes.ts'
import { type Chat, getEarlierMessages } from '../../api/chats.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'

/**
 * Loads the exchanges before those that are shown, if there are any, when the reader scrolls up to them, or with its button. The reader's
 * position in the text stays the same.
 */
export function EarlierMessages(props: { chat: Chat; leaf: number | undefined; onChange(change: (chat: Chat) => Chat): void }) {
  const { chat, leaf, onChange } = props
  const first = chat.messages[0]?.number
  const mark = useRef<HTMLDivElement>(null)
  const distanceFromEnd = useRef<number>(undefined)
  const loading = useMutation({
    mutationFn: (before: number) => getEarlierMessages(chat.shortId, { before, leaf }),
    onSuccess: (earlier) => {
      distanceFromEnd.current = document.documentElement.scrollHeight - window.scrollY
      onChange((shown) => withEarlier(shown, earlier))
    },
  })
  useLayoutEffect(() => {
    if (distanceFromEnd.current === undefined) return
    window.scrollTo({ top: document.documentElement.scrollHeight - distanceFromEnd.current, behavior: 'instant' })
    distanceFromEnd.current = undefined
  }, [first])
  const load = useEffectEvent(() => {
    if (first !== undefined && !loading.isPending && !loading.isError) loading.mutate(first)
  })
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) load()
    }, { rootMargin: '200px' })
    if (mark.current) observer.observe(mark.current)
    return () => observer.disconnect()
  }, [first])
  if (first === undefined || !chat.hasEarlier) return null
  return (
    <div ref={mark} className="mb-6 grid justify-items-center gap-2">
      <Button onClick={() => loading.mutate(first)} isBusy={loading.isPending}>Show earlier messages</Button>
      {loading.isError && <Problem message={messageOf(loading.error)} />}
    </div>
  )
}
