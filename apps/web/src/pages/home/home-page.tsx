import { useQuery } from '@tanstack/react-query'
import { listReferences } from '../../api/references.ts'
import { useTitle } from '../../ui/use-title.ts'
import { AskBox } from '../ask/ask-box.tsx'
import { RecentChats } from '../chats/recent-chats.tsx'
import { GettingStarted } from '../getting-started/getting-started.tsx'
import { RecentResults } from '../queries/recent-results.tsx'
import { Attention } from './attention.tsx'
import { HomeBoards } from './home-boards.tsx'
import { HomeQueries } from './home-queries.tsx'

/** `/`: the box to ask questions, favorite and recent boards, the latest results, what needs attention, and recent queries and chats. */
export function HomePage() {
  useTitle('Home')
  const { data: references } = useQuery({
    queryKey: ['references', 'newest'],
    queryFn: ({ signal }) => listReferences({ limit: 20, signal }),
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <section aria-label="Ask" className="mx-auto mt-2 w-full max-w-3xl sm:mt-8">
        <h1 className="mb-4">What would you like to know?</h1>
        <AskBox />
      </section>
      <GettingStarted />
      <HomeBoards />
      {references && <RecentResults references={references.items} />}
      <Attention />
      <HomeQueries />
      <RecentChats />
    </div>
  )
}
