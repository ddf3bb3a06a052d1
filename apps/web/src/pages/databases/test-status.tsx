import type { Database, LastTest, TestOutcome } from '../../api/databases.ts'
import { Hint, Problem } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/time.tsx'

export const took = (durationMs: number) => (durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`)

/** At a glance: whether the last test went well. */
export function TestStatus({ lastTest }: { lastTest: LastTest | null }) {
  if (!lastTest) return <span className="text-soft">Not tested yet</span>
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={`size-2 shrink-0 rounded-full ${lastTest.ok ? 'bg-good' : 'bg-danger'}`} aria-hidden="true" />
      <span className={lastTest.ok ? '' : 'text-danger'}>{lastTest.ok ? 'Works' : 'Does not answer'}</span>
      <span className="text-xs text-soft">
        <RelativeTime at={lastTest.testedAt} />
      </span>
    </span>
  )
}

/** What came of a test that was just made, and what to do when it failed. */
export function TestResult({ outcome, engine }: { outcome: TestOutcome; engine: Database['engine'] }) {
  if (outcome.ok) {
    return (
      <Hint kind="good">
        <p role="status">It works: {outcome.version} answered in {took(outcome.durationMs)}.</p>
      </Hint>
    )
  }
  return (
    <Problem title="It does not answer" message={outcome.message}>
      <p className="text-ink">
        {engine === 'duckdb'
          ? 'Put its file back into place, or upload it anew as another database. Then test again.'
          : 'Look after the server, or change the connection. Then test again.'}
      </p>
    </Problem>
  )
}
