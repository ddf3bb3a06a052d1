import { useInfiniteQuery } from '@tanstack/react-query'
import { MessagesSquare, Plus } from 'lucide-react'
import { chatsOptions } from '../../api/chats.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useHotkey } from '../../ui/use-hotkey.ts'
import { useTitle } from '../../ui/use-title.ts'
import { ChatList } from './chat-list.tsx'

/** `/chats`: reports and answers, newest first. */
export function ChatsPage() {
  useTitle('Chats')
  const query = useInfiniteQuery(chatsOptions)
  useHotkey('n', () => navigate(paths.ask()))
  return (
    <>
      <PageHead
        title="Chats"
        description="Reports and answers, newest first"
        actions={<ButtonLink kind="primary" icon={<Plus />} href={paths.ask()}>New chat</ButtonLink>}
      />
      <Loaded query={query}>{(chats) => (chats.length === 0 ? <NoChats /> : <ChatList chats={chats} />)}</Loaded>
      <Pager query={query} />
    </>
  )
}

function NoChats() {
  return (
    <EmptyState
      title="No chats yet"
      icon={<MessagesSquare />}
      action={
        <>
          <ButtonLink kind="primary" href={paths.ask()}>Ask a question</ButtonLink>
          <ButtonLink href={paths.automations}>Open automations</ButtonLink>
        </>
      }
    >
      <p>Ask a question about your data, or schedule a report. Each has a chat with its answer and every step behind it.</p>
    </EmptyState>
  )
}
