import { useQuery } from '@tanstack/react-query'
import { newestChatsOptions } from '../../api/chats.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { ChatList } from './chat-list.tsx'

const shownMax = 5

/** The newest chats. Shows nothing if there are none. */
export function RecentChats() {
  const { data: chats = [] } = useQuery(newestChatsOptions(shownMax))
  if (chats.length === 0) return null
  return (
    <section aria-label="Recent chats" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <header className="flex items-baseline justify-between gap-4">
        <h2>Recent chats</h2>
        <TextLink href={paths.chats}>All chats</TextLink>
      </header>
      <ChatList chats={chats} />
    </section>
  )
}
