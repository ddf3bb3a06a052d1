import type { RunStatus } from '../api/automation-runs.ts'

const words: Record<RunStatus, string> = { pending: 'Waiting', running: 'Running', completed: 'Completed', failed: 'Failed' }

/** How a run stands: a dot in its colour, and the word. */
export function Status({ status }: { status: RunStatus }) {
  return (
    <span className={`status ${status}`}>
      <span className="dot" aria-hidden="true" />
      {words[status]}
    </span>
  )
}
