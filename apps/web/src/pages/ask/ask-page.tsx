import { useState } from 'react'
import { useLocation } from '../../location.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { RecentChats } from '../chats/recent-chats.tsx'
import { AskBox } from './ask-box.tsx'

/** `/ask?q=`: the question in the URL fills in the box. It is asked only when the person sends it. */
export function AskPage() {
  useTitle('Ask')
  const { search } = useLocation()
  // Read the URL only once: from then on the text belongs to the person.
  const [initial] = useState(() => new URLSearchParams(search).get('q') ?? '')
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-8">
      <div>
        <PageHead title="Ask" description="Ask in plain words. Every figure in the answer is computed from a stored result." />
        <AskBox initial={initial} isFocused />
      </div>
      <RecentChats />
    </div>
  )
}
