import { useQuery } from '@tanstack/react-query'
import { SquarePen, Workflow } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { type Database, previewOptions, type Table } from '../../api/databases.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isOnServer } from './is-on-server.ts'
import { starterQuery, sqlName } from './sql-names.ts'
import { TableActions } from './table-actions.tsx'
import { useCanChangeTables } from './uploads-of-members.ts'
import { filePlaceOf } from './use-new-file-database.ts'

const ResultTable = lazy(async () => ({ default: (await import('../../results/result-table.tsx')).ResultTable }))

const count = new Intl.NumberFormat()

/** The first rows of a table, with a link to query it. */
export function TablePreview({ database, table }: { database: Database; table: Table }) {
  const preview = useQuery(previewOptions(database.id, table))
  const { name, schema, kind, rowEstimate, columns } = table
  const canChangeTables = useCanChangeTables(database)
  const takesTables = !isOnServer(database) && filePlaceOf(database.engine).takesTables
  const isChangeable = canChangeTables && takesTables && kind === 'table' && schema === 'main'
  return (
    <section aria-label={`First rows of ${name}`} className="grid min-w-0 content-start gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="mr-auto min-w-0">
          <h2 className="flex items-center gap-2 [overflow-wrap:anywhere]">
            {name} {kind === 'view' && <Badge>view</Badge>}
          </h2>
          <p className="text-soft">
            {rowEstimate !== null && `About ${count.format(rowEstimate)} rows, `}
            {columns.length === 1 ? '1 column' : `${columns.length} columns`}
          </p>
        </div>
        {isChangeable && <TableActions database={database} table={table} />}
        <CopyButton text={sqlName(table, database)} label="Copy name" size="medium" />
        <ButtonLink icon={<Workflow />} href={paths.tableUsers(database.id, { schema: table.schema, table: name })}>Used by</ButtonLink>
        <ButtonLink
          kind="primary"
          icon={<SquarePen />}
          href={paths.newQuery({ database: database.id, sql: starterQuery(table, database) })}
        >
          Query this {kind}
        </ButtonLink>
      </header>
      <Loaded query={preview} skeleton={<Skeleton rows={8} />}>
        {({ fields, rows, hasMore }) =>
          rows.length === 0 && !hasMore ? (
            <p className="rounded-lg border border-line bg-surface px-4 py-8 text-center text-soft">
              This {kind} has no rows.
            </p>
          ) : (
            <Suspense fallback={<Skeleton rows={8} />}>
              <ResultTable fields={fields} rows={rows} label={`First rows of ${name}`} />
              <p className="text-xs text-soft">
                {hasMore ? `First ${rows.length} rows. Query the ${kind} to see more.` : `All ${rows.length} rows.`}
              </p>
            </Suspense>
          )
        }
      </Loaded>
    </section>
  )
}
