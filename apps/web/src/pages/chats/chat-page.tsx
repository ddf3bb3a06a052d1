import { ApiError, messageOf } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { Loading, Problem } from '../../ui/notice.tsx'
import { NotFoundPage } from '../not-found-page.tsx'
import { ChatView } from './chat-view.tsx'
import { useChat } from './use-chat.ts'

/** `/chats/:shortId` */
export function ChatPage({ shortId, session }: { shortId: string; session: Session }) {
  const { chat, isConnected, reload, take } = useChat(shortId)
  if (chat.status === 'loading') return <Loading />
  if (chat.status === 'ready') {
    return <ChatView chat={chat.value} isConnected={isConnected} session={session} onNews={take} />
  }
  if (chat.error instanceof ApiError && chat.error.status === 404) return <NotFoundPage isInFrame />
  return <Problem message={messageOf(chat.error)} onRetry={reload} />
}
