import type { TriedConnection } from '../../api/databases.ts'
import { messageOf } from '../../api/request.ts'
import { Hint, Problem } from '../../ui/notice.tsx'
import { isNotShownAtField } from './server-draft.ts'
import { formatDuration } from './test-status.tsx'
import type { Connection } from './use-connection.ts'

/** The result of testing or saving, unless a field shows it. It is next to the buttons, so it is always in view. */
export function ConnectionOutcome({ connection }: { connection: Connection }) {
  return (
    <div className="w-full empty:hidden">
      <Message connection={connection} />
    </div>
  )
}

function Message({ connection: { outcome, error } }: { connection: Connection }) {
  if (isNotShownAtField(error)) return <Problem message={messageOf(error)} />
  if (!outcome) return null
  if (outcome.ok) {
    return (
      <Hint kind="good">
        <p role="status">
          Connected to {outcome.version} in {formatDuration(outcome.durationMs)}{tables(outcome.tableCount)}.
        </p>
      </Hint>
    )
  }
  return outcome.path === undefined ? <Problem title="Can’t connect" message={outcome.message} /> : null
}

function tables(count: TriedConnection['tableCount']): string {
  if (count === null) return ''
  return count === 0 ? '. This user can’t see any tables' : `. Found ${count === 1 ? '1 table' : `${count} tables`}`
}
