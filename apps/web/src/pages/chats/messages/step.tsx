import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RunStatus } from '../../../api/automation-runs.ts'
import { Status } from '../../../ui/status.tsx'

/** A step of the agent: one line that expands to its details, with links at its end. */
export function Step(props: {
  status: RunStatus
  isStopped?: boolean
  title: string
  remark?: string
  links?: ReactNode
  children?: ReactNode
}) {
  const line = (
    <>
      <span className="w-22 shrink-0"><Status status={props.status} isStopped={props.isStopped ?? false} /></span>
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{props.title}</span>
      {props.remark !== undefined && <span className="shrink-0 text-soft">{props.remark}</span>}
    </>
  )
  const row = 'flex w-fit max-w-full flex-wrap items-baseline gap-x-3 gap-y-0.5 sm:flex-nowrap'
  return (
    <div className="relative">
      {props.children === undefined ? (
        <p className={`${row} pl-5.5 pr-24`}>{line}</p>
      ) : (
        <details className="group">
          <summary className="flex list-none gap-1.5 rounded pr-24 [&::-webkit-details-marker]:hidden">
            <ChevronRight className="mt-0.5 size-4 shrink-0 text-soft transition-transform group-open:rotate-90" aria-hidden="true" />
            <span className={row}>{line}</span>
          </summary>
          <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-3 pb-2 pl-5.5">{props.children}</div>
        </details>
      )}
      {props.links !== undefined && (
        <span className="absolute -top-0.5 right-0 flex gap-3 text-xs leading-6 [&_a]:inline-block [&_a]:min-w-6">
          {props.links}
        </span>
      )}
    </div>
  )
}
