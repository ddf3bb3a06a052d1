import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { withEarlier } from '../../api/chat-changes.ts'
import { type Chat, getEarlierMessages } from '../../api/chats.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'

/** Loads the exchanges before those that are shown. The reader's position in the text stays the same. */
export function EarlierMessages(props: { chat: Chat; leaf: number | undefined; onChange(change: (chat: Chat) => Chat): void }) {
  const { chat, leaf, onChange } = props
  const first = chat.messages[0]?.number
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
  if (first === undefined) return null
  return (
    <div className="mb-6 grid justify-items-center gap-2">
      <Button onClick={() => loading.mutate(first)} isBusy={loading.isPending}>Show earlier messages</Button>
      {loading.isError && <Problem message={messageOf(loading.error)} />}
    </div>
  )
}
