import { useQuery } from '@tanstack/react-query'
import { Database as DatabaseIcon, Upload } from 'lucide-react'
import { useState } from 'react'
import {
  type Database,
  type DatabaseInFull,
  databaseOptions,
  isForSavedQueries,
  type ServerDatabase,
  type Table,
  tablesOptions,
  type TestOutcome,
} from '../../api/databases.ts'
import { useIsAdmin } from '../../api/session.ts'
import { defaultSchemaOf } from '../../editor/default-schemas.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { DatabaseActions } from './database-actions.tsx'
import { EngineBadge } from './engine-badge.tsx'
import { SchemaBrowser } from './schema-browser.tsx'
import { tableKey } from './schema-tree.ts'
import { TablePreview } from './table-preview.tsx'
import { TestResult, TestStatus } from './test-status.tsx'
import { UploadArea } from './upload-area.tsx'
import { useLocation } from '../../use-location.ts'
import { isOnServer } from './is-on-server.ts'
import { useCanChangeTables } from './uploads-of-members.ts'
import { filePlaceOf } from './use-new-file-database.ts'

/** One database: its tables, and uploads for admins and its owner. */
export function DatabasePage({ id }: { id: string }) {
  const query = useQuery(databaseOptions(id))
  useTitle(query.data?.name ?? 'Database')
  return <Loaded query={query}>{(database) => <DatabaseView database={database} />}</Loaded>
}

function DatabaseView({ database }: { database: DatabaseInFull }) {
  const isAdmin = useIsAdmin()
  const canChangeTables = useCanChangeTables(database)
  const [outcome, setOutcome] = useState<TestOutcome>()
  const tables = useQuery(tablesOptions(database.id))
  const takesTables = !isOnServer(database) && filePlaceOf(database.engine).takesTables && !isForSavedQueries(database)
  const wantsUpload = new URLSearchParams(useLocation().search).has('upload') || undefined
  const [isAdding, setIsAdding] = useState<boolean | undefined>(takesTables ? wantsUpload : false)
  // An empty database starts with the upload area, which stays open after the first upload.
  if (isAdding === undefined && tables.data) setIsAdding(tables.data.length === 0)
  return (
    <>
      <PageHead
        above={<TextLink href={paths.databases}>Databases</TextLink>}
        title={<span className="[overflow-wrap:anywhere]">{database.name}</span>}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <EngineBadge engine={database.engine} />
            {isOnServer(database) && <span className="[overflow-wrap:anywhere]">{addressOf(database.settings)}</span>}
            <TestStatus lastTest={database.lastTest} />
          </span>
        }
        {...(canChangeTables && {
          actions: (
            <>
              {isAdding === false && takesTables && (
                <Button icon={<Upload />} onClick={() => setIsAdding(true)}>Upload tables</Button>
              )}
              {isAdmin && <DatabaseActions database={database} onTested={setOutcome} />}
            </>
          ),
        })}
      />
      {outcome && <div className="mb-5"><TestResult outcome={outcome} engine={database.engine} /></div>}
      <Loaded query={tables}>
        {(items) => (
          <div className="grid gap-6">
            {canChangeTables && isAdding && (
              <UploadArea database={database} tables={items} onDone={() => setIsAdding(false)} />
            )}
            {isForSavedQueries(database) ? <AboutSavedQueries databaseId={database.id} /> : <Contents database={database} tables={items} canChangeTables={canChangeTables} />}
          </div>
        )}
      </Loaded>
    </>
  )
}

function AboutSavedQueries({ databaseId }: { databaseId: string }) {
  return (
    <EmptyState
      title="Read saved queries as tables"
      icon={<DatabaseIcon />}
      action={<ButtonLink kind="primary" href={paths.newQuery({ database: databaseId })}>New query</ButtonLink>}
    >
      <p>Queries in this database join the results of other saved queries with ref('…'), whatever database these run in.</p>
    </EmptyState>
  )
}

const addressOf = ({ host, port, database }: ServerDatabase['settings']) => `${database} at ${host}:${port}`

function Contents({ database, tables, canChangeTables }: { database: Database; tables: Table[]; canChangeTables: boolean }) {
  const chosen = new URLSearchParams(useLocation().search).get('table') ?? undefined
  const table = tables.find((each) => tableKey(each) === chosen)
  const choose = (next: Table | undefined) =>
    navigate(paths.database(database.id, next ? { table: tableKey(next) } : {}), { replace: true })
  if (tables.length === 0) {
    if (isOnServer(database)) {
      return <p className="py-10 text-center text-soft">No tables. The database user can’t read any.</p>
    }
    if (!filePlaceOf(database.engine).takesTables) return <p className="py-10 text-center text-soft">The file has no tables.</p>
    if (canChangeTables) return null
    return <p className="py-10 text-center text-soft">No tables yet. Ask an admin to add some.</p>
  }
  return (
    <div className="grid gap-6 lg:grid-cols-[19rem_minmax(0,1fr)]">
      <SchemaBrowser tables={tables} defaultSchema={defaultSchemaOf(database)} chosen={chosen} onChoose={choose} />
      {table ? (
        <TablePreview key={tableKey(table)} database={database} table={table} />
      ) : (
        <p className="hidden self-start py-10 text-center text-soft lg:block">
          Choose a table to see its columns and first rows.
        </p>
      )}
    </div>
  )
}
