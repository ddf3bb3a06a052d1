import { PageHead } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { RecentChats } from '../chats/recent-chats.tsx'
import { AskBox } from './ask-box.tsx'
import { useLocation } from '../../use-location.ts'

/** `/ask?q=`: the question in the URL fills in the box. It is asked only when the person sends it. */
export function AskPage() {
  useTitle('Ask')
  const question = new URLSearchParams(useLocation().search).get('q') ?? ''
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-8">
      <div>
        <PageHead title="Ask" description="Ask in plain words. Every figure in the answer is computed from a stored result." />
        <AskBox key={question} initial={question} isFocused />
      </div>
      <RecentChats />
    </div>
  )
}
