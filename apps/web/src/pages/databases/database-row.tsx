import { useQuery } from '@tanstack/react-query'
import { type Database, tablesOptions } from '../../api/databases.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { EngineBadge } from './engine-badge.tsx'
import { TestStatus } from './test-status.tsx'

const box =
  'relative grid items-center gap-x-6 gap-y-1.5 rounded-lg border border-line bg-surface px-4 py-3 hover:border-line-strong ' +
  'sm:grid-cols-[minmax(0,1fr)_6rem_13rem]'

export function DatabaseRow({ database }: { database: Database }) {
  const { id, name, engine, lastTest } = database
  return (
    <li className={box}>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <Link
          href={paths.database(id)}
          className="font-medium text-ink no-underline [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-lg"
        >
          {name}
        </Link>
        <EngineBadge engine={engine} />
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 sm:contents">
        <TableCount database={database} />
        <TestStatus lastTest={lastTest} />
      </div>
      {lastTest?.ok === false && (
        <p className="text-xs text-danger [overflow-wrap:anywhere] sm:col-span-3">{lastTest.message}</p>
      )}
    </li>
  )
}

/** The number of tables. If it isn't known yet, reading the tables makes the service remember it. */
function TableCount({ database: { id, tableCount } }: { database: Database }) {
  const tables = useQuery({ ...tablesOptions(id), enabled: tableCount === null, retry: false })
  const count = tables.data?.length ?? tableCount
  if (count === null) return <span className="text-soft">–</span>
  return <span className="tabular-nums">{count === 0 ? 'No tables' : count === 1 ? '1 table' : `${count} tables`}</span>
}
