import { useQuery } from '@tanstack/react-query'
import { Database as DatabaseIcon, Plus } from 'lucide-react'
import { useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { useIsAdmin } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AddDatabaseDialog } from './add-database-dialog.tsx'
import { DatabaseRow } from './database-row.tsx'
import { UploadButton } from './upload-button.tsx'
import { useCanUpload } from './uploads-of-members.ts'

/** The databases that queries run against. */
export function DatabasesPage() {
  useTitle('Databases')
  const query = useQuery(databasesOptions())
  const isAdmin = useIsAdmin()
  const [isAdding, setIsAdding] = useState(false)
  const canUpload = useCanUpload()
  const addButton = isAdmin ? (
    <Button kind="primary" icon={<Plus />} onClick={() => setIsAdding(true)}>Add database</Button>
  ) : (
    canUpload && <UploadButton />
  )
  return (
    <>
      <PageHead
        title="Databases"
        description="Data sources for your queries. Access is always read-only."
        {...(addButton && query.data && query.data.length > 0 && { actions: addButton })}
      />
      <Loaded query={query}>
        {(databases) =>
          databases.length === 0 ? (
            <EmptyState title="No databases yet" icon={<DatabaseIcon />} action={addButton}>
              <p>
                A database is a data source for queries.{' '}
                {isAdmin
                  ? 'Connect a database server, or upload files.'
                  : canUpload
                    ? 'Upload a file to create one, or ask an admin to connect a server.'
                    : 'Ask an admin to add one.'}
              </p>
            </EmptyState>
          ) : (
            <ul className="grid gap-2">
              {databases.map((database) => (
                <DatabaseRow key={database.id} database={database} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAdding && <AddDatabaseDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}
