import { Loaded } from '../../ui/loaded.tsx'
import { ChatView } from './chat-view.tsx'
import { useChat } from './use-chat.ts'

/** `/chats/:shortId` */
export function ChatPage({ shortId }: { shortId: string }) {
  const { query, isConnected, apply } = useChat(shortId)
  return <Loaded query={query}>{(chat) => <ChatView chat={chat} isConnected={isConnected} onNews={apply} />}</Loaded>
}
