import type { RunStatus } from '../api/automation-runs.ts'

const labels: Record<RunStatus, string> = { pending: 'Pending', running: 'Running', completed: 'Completed', failed: 'Failed' }

const dots: Record<RunStatus, string> = {
  pending: 'bg-line-strong',
  running: 'bg-accent animate-pulse',
  completed: 'bg-good',
  failed: 'bg-danger',
}

/** The status of a run: a colored dot and a label. */
export function Status({ status }: { status: RunStatus }) {
  return (
    <span className={`status ${status} inline-flex items-center gap-1.5 whitespace-nowrap`}>
      <span className={`size-2 rounded-full ${dots[status]}`} aria-hidden="true" />
      {labels[status]}
    </span>
  )
}
