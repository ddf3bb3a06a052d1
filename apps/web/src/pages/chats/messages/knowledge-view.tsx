import { ChevronRight } from 'lucide-react'
import type { UsedKnowledge } from '../../../api/knowledge.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { describeUsed } from './describe-used.ts'

/** What the organization knows that the agent was given: one line that expands to links. */
export function KnowledgeView({ used }: { used: UsedKnowledge[] }) {
  return (
    <details className="group">
      <summary className="flex w-fit max-w-full list-none gap-1.5 rounded text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight className="mt-0.5 size-4 shrink-0 transition-transform group-open:rotate-90" aria-hidden="true" />
        <span className="min-w-0 [overflow-wrap:anywhere]">Used: {describeUsed(used)}</span>
      </summary>
      <ul className="mt-2 grid gap-1 pl-5.5" aria-label="Knowledge used">
        {used.map(({ kind, label, name, href }) => (
          <li key={`${kind} ${name} ${href ?? ''}`} className="[overflow-wrap:anywhere]">
            <span className="text-soft">{label}</span> {href === undefined ? name : <TextLink href={href}>{name}</TextLink>}
          </li>
        ))}
      </ul>
    </details>
  )
}
