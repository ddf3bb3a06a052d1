import { fileEngines } from '../../api/generated/values.ts'
import type { Database, LastTest, TestOutcome } from '../../api/databases.ts'
import { Hint, Problem } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/time.tsx'

export const formatDuration = (durationMs: number) => (durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`)

/** The outcome of the last test. */
export function TestStatus({ lastTest }: { lastTest: LastTest | null }) {
  if (!lastTest) return <span className="text-soft">Not tested yet</span>
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={`size-2 shrink-0 rounded-full ${lastTest.ok ? 'bg-good' : 'bg-danger'}`} aria-hidden="true" />
      <span className={lastTest.ok ? '' : 'text-danger'}>{lastTest.ok ? 'Connected' : 'Can’t connect'}</span>
      <span className="text-xs text-soft">
        <RelativeTime at={lastTest.testedAt} />
      </span>
    </span>
  )
}

/** The outcome of a test just made, and what to do if it failed. */
export function TestResult({ outcome, engine }: { outcome: TestOutcome; engine: Database['engine'] }) {
  if (outcome.ok) {
    return (
      <Hint kind="good">
        <p role="status">Connected to {outcome.version} in {formatDuration(outcome.durationMs)}.</p>
      </Hint>
    )
  }
  return (
    <Problem title="Can’t connect" message={outcome.message}>
      <p className="text-ink">
        {fileEngines.some((each) => each === engine)
          ? 'Restore its file, or upload it as a new database. Then test again.'
          : 'Check the server or edit the connection, then test again.'}
      </p>
    </Problem>
  )
}
