import type { TriedConnection } from '../../api/databases.ts'
import { messageOf } from '../../api/request.ts'
import { Hint, Problem } from '../../ui/notice.tsx'
import { isElsewhere } from './server-draft.ts'
import { took } from './test-status.tsx'
import type { Connection } from './use-connection.ts'

/** What came of trying or saving, as far as no field tells it. It stands with the buttons, where it is seen at once. */
export function ConnectionOutcome({ connection }: { connection: Connection }) {
  return (
    <div className="w-full empty:hidden">
      <Said connection={connection} />
    </div>
  )
}

function Said({ connection: { outcome, error } }: { connection: Connection }) {
  if (isElsewhere(error)) return <Problem message={messageOf(error)} />
  if (!outcome) return null
  if (outcome.ok) {
    return (
      <Hint kind="good">
        <p role="status">
          It works: {outcome.version} answered in {took(outcome.durationMs)}{tables(outcome.tableCount)}.
        </p>
      </Hint>
    )
  }
  return outcome.path === undefined ? <Problem title="It does not answer" message={outcome.message} /> : null
}

function tables(count: TriedConnection['tableCount']): string {
  if (count === null) return ''
  return count === 0 ? ', and has no tables that this user can see' : `, with ${count === 1 ? 'one table' : `${count} tables`}`
}
