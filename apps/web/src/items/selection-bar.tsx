import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import type { ListSelection } from './use-selection.ts'

/** What can be done with the chosen items. Shown at the bottom of the window while something is chosen. */
export function SelectionBar(props: { label: string; selection: Pick<ListSelection<unknown>, 'items' | 'selectAll' | 'clear'>; children: ReactNode }) {
  const { selection } = props
  const count = selection.items.length
  return (
    <>
      <p className="sr-only" role="status">{count === 0 ? '' : `${count} selected`}</p>
      {count > 0 && (
        <div className="pointer-events-none sticky bottom-4 z-20 mt-4 flex justify-center">
          <div
            role="toolbar"
            aria-label={props.label}
            className="pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-1.5 rounded-lg border border-line-strong bg-surface p-1.5 pl-3 shadow-xl"
          >
            <span className="mr-1 font-medium whitespace-nowrap tabular-nums">{count} selected</span>
            <Button size="small" kind="ghost" className="max-sm:hidden" onClick={selection.selectAll}>Select all</Button>
            {props.children}
            <IconButton label="Clear selection" icon={<X />} className="size-7" onClick={selection.clear} />
          </div>
        </div>
      )}
    </>
  )
}
