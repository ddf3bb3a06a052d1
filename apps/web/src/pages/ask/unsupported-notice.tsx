import { findUnsupportedRequests, type RequestContext } from '@querypost/answers'
import { CircleAlert } from 'lucide-react'
import { useDebounced } from '../../ui/use-debounced.ts'

const settleMs = 400

/** Says, before a text is sent, what in it can't be done, and what to do instead. Announced once typing pauses. */
export function UnsupportedNotice({ text, context = 'chat' }: { text: string; context?: RequestContext }) {
  const settled = useDebounced(text, settleMs)
  const { requests } = findUnsupportedRequests(settled, context)
  return (
    <ul className="grid gap-1 text-warning empty:hidden" aria-label="Not possible" aria-live="polite">
      {requests.map(({ kind, explanation }) => (
        <li key={kind} className="flex gap-2">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {explanation}
        </li>
      ))}
    </ul>
  )
}
