import { Loaded } from '../../ui/loaded.tsx'
import { ChatView } from './chat-view.tsx'
import { useChat } from './use-chat.ts'
import { useLocation } from '../../use-location.ts'

/** `/chats/:shortId?leaf=`: the path to the newest question, or to the one in the URL. */
export function ChatPage({ shortId }: { shortId: string }) {
  const leaf = leafIn(useLocation().search)
  const { query, isConnected, change } = useChat(shortId, leaf)
  return (
    <Loaded query={query}>
      {(chat) => <ChatView key={leaf} chat={chat} leaf={leaf} isConnected={isConnected} onChange={change} />}
    </Loaded>
  )
}

function leafIn(search: string): number | undefined {
  const leaf = new URLSearchParams(search).get('leaf')
  return leaf !== null && /^\d{1,9}$/.test(leaf) ? Number(leaf) : undefined
}
