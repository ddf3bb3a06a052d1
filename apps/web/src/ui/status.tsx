import type { RunStatus } from '../api/automation-runs.ts'

const words: Record<RunStatus, string> = { pending: 'Pending', running: 'Running', completed: 'Completed', failed: 'Failed' }

const dots: Record<RunStatus, string> = {
  pending: 'bg-line-strong',
  running: 'bg-accent animate-pulse',
  completed: 'bg-good',
  failed: 'bg-danger',
}

/** How a run stands: a dot in its colour, and the word. */
export function Status({ status }: { status: RunStatus }) {
  return (
    <span className={`status ${status} inline-flex items-center gap-1.5 whitespace-nowrap`}>
      <span className={`size-2 rounded-full ${dots[status]}`} aria-hidden="true" />
      {words[status]}
    </span>
  )
}
