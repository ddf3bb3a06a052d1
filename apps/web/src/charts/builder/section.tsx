import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

/**
 * Settings that most charts do without, folded away. Open from the start if some of them are set, or if it was left open, because
 * each run of a query mounts the form again.
 */
export function Section({ title, isSet = false, children }: { title: string; isSet?: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(() => isSet || isLeftOpen(title))
  return (
    <details
      className="group border-t border-line pt-2"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setIsOpen(currentTarget.open)
        if (currentTarget.open !== isOpen) leaveOpen(title, currentTarget.open)
      }}
    >
      <summary className="flex cursor-pointer list-none items-center gap-1 py-1 text-xs font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-3.5 text-soft group-open:rotate-90" aria-hidden="true" />
        {title}
      </summary>
      <div className="grid gap-3 pt-2 pb-1">{children}</div>
    </details>
  )
}

const storeKey = (title: string) => `querypost.chart-section.${title}`
const isLeftOpen = (title: string) => window.sessionStorage.getItem(storeKey(title)) === 'open'

function leaveOpen(title: string, isOpen: boolean): void {
  if (isOpen) window.sessionStorage.setItem(storeKey(title), 'open')
  else window.sessionStorage.removeItem(storeKey(title))
}
