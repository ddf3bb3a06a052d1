import { Loaded } from '../../ui/loaded.tsx'
import { ChatView } from './chat-view.tsx'
import { useChat } from './use-chat.ts'
import { momentIn } from '../../past/moment.ts'
import { PastBanner } from '../../past/past-banner.tsx'
import { useLocation } from '../../use-location.ts'
import { chatAt } from './chat-at.ts'

/** `/chats/:shortId?leaf=&at=`: the path to the newest question, or to the one in the URL; with a time, the messages up to then. */
export function ChatPage({ shortId }: { shortId: string }) {
  const { search } = useLocation()
  const leaf = leafIn(search)
  const at = momentIn(search)
  const { query, isConnected, change } = useChat(shortId, leaf)
  return (
    <Loaded query={query}>
      {(chat) =>
        at === null ? (
          <ChatView key={leaf} chat={chat} leaf={leaf} isConnected={isConnected} onChange={change} />
        ) : (
          <div className="mx-auto max-w-3xl space-y-4">
            <PastBanner at={at} />
            <ChatView key={leaf} chat={chatAt(chat, at)} leaf={leaf} isConnected={isConnected} onChange={change} />
          </div>
        )
      }
    </Loaded>
  )
}

function leafIn(search: string): number | undefined {
  const leaf = new URLSearchParams(search).get('leaf')
  return leaf !== null && /^\d{1,9}$/.test(leaf) ? Number(leaf) : undefined
}
