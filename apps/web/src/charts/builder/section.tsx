import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** Settings that most charts do without, folded away. Open from the start if some of them are set. */
export function Section({ title, isSet = false, children }: { title: string; isSet?: boolean; children: ReactNode }) {
  return (
    <details className="group border-t border-line pt-2" open={isSet || undefined}>
      <summary className="flex cursor-pointer list-none items-center gap-1 py-1 text-xs font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-3.5 text-soft group-open:rotate-90" aria-hidden="true" />
        {title}
      </summary>
      <div className="grid gap-3 pt-2 pb-1">{children}</div>
    </details>
  )
}
