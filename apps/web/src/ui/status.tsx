import type { RunStatus } from '../api/automation-runs.ts'

const words: Record<RunStatus, string> = { pending: 'Pending', running: 'Running', completed: 'Completed', failed: 'Failed' }

const dots: Record<RunStatus, string> = {
  pending: 'bg-line-strong',
  running: 'bg-accent animate-pulse',
  completed: 'bg-good',
  failed: 'bg-danger',
}

/** The status of a run: a colored dot and a word. A run stopped by a person has failed, but is not shown as a failure. */
export function Status({ status, isStopped = false }: { status: RunStatus; isStopped?: boolean }) {
  if (isStopped) {
    return (
      <span className="status stopped inline-flex items-center gap-1.5 whitespace-nowrap">
        <span className="size-2 rounded-full bg-line-strong" aria-hidden="true" />
        Stopped
      </span>
    )
  }
  return (
    <span className={`status ${status} inline-flex items-center gap-1.5 whitespace-nowrap`}>
      <span className={`size-2 rounded-full ${dots[status]}`} aria-hidden="true" />
      {words[status]}
    </span>
  )
}
