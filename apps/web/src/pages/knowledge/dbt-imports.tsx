import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { type DbtImport, dbtImportsOptions, deleteDbtImport } from '../../api/dbt.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { ImportDbtDialog } from './import-dbt-dialog.tsx'

/** The dbt projects that describe tables. Admins import and delete them; members see them once there are any. */
export function DbtImports({ isAdmin }: { isAdmin: boolean }) {
  const { data: imports = [] } = useQuery(dbtImportsOptions)
  const [isImporting, setIsImporting] = useState(false)
  const [deleted, setDeleted] = useState<DbtImport>()
  if (!isAdmin && imports.length === 0) return null
  return (
    <Card
      title="dbt projects"
      {...(isAdmin && { actions: <Button size="small" icon={<Upload />} onClick={() => setIsImporting(true)}>Import dbt project</Button> })}
    >
      {imports.length === 0 ? (
        <p className="text-soft">
          Import descriptions, lineage and metrics from your dbt project. <TextLink href="/docs/dbt">Learn more</TextLink>
        </p>
      ) : (
        <ul className="divide-y divide-line" aria-label="dbt projects">
          {imports.map((each) => (
            <ImportItem key={`${each.databaseId} ${each.project}`} imported={each} onDelete={isAdmin ? () => setDeleted(each) : undefined} />
          ))}
        </ul>
      )}
      {isImporting && <ImportDbtDialog onClose={() => setIsImporting(false)} />}
      {deleted && <DeleteImport imported={deleted} onClose={() => setDeleted(undefined)} />}
    </Card>
  )
}

function ImportItem({ imported, onDelete }: { imported: DbtImport; onDelete: (() => void) | undefined }) {
  const { project, databaseId, tableCount, foundTableCount, metrics, importedAt } = imported
  const { data: databases = [] } = useQuery(databasesOptions())
  const databaseName = databases.find(({ id }) => id === databaseId)?.name
  return (
    <li className="flex flex-wrap items-start gap-2 py-2.5">
      <div className="mr-auto grid min-w-0 gap-1 [overflow-wrap:anywhere]">
        <p>
          <span className="font-medium">{project}</span> {databaseName !== undefined && <span className="text-soft">in {databaseName}</span>}
        </p>
        <p className="text-xs text-soft">
          {tableCount === 1 ? '1 table' : `${tableCount} tables`}, {foundTableCount} found · Imported <RelativeTime key={importedAt} at={importedAt} />
        </p>
        {metrics.length > 0 && (
          <details>
            <summary className="w-fit rounded text-soft hover:text-ink">{metrics.length === 1 ? '1 metric' : `${metrics.length} metrics`}</summary>
            <ul className="mt-2 grid gap-2" aria-label={`Metrics of ${project}`}>
              {metrics.map(({ name, label, description, definition }) => (
                <li key={name}>
                  <span className="font-medium">{label}</span> {description}
                  {definition && <code className="block font-mono text-xs text-soft">{definition}</code>}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {onDelete && <Button size="small" kind="ghost" onClick={onDelete}>Delete</Button>}
    </li>
  )
}

function DeleteImport({ imported: { databaseId, project }, onClose }: { imported: DbtImport; onClose(): void }) {
  const client = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => deleteDbtImport({ databaseId, project }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['knowledge'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete the import of ${project}?`}
      confirmLabel="Delete import"
      isOpen
      onOpenChange={onClose}
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      Tables lose the descriptions from dbt, and agents no longer know its metrics. Your own descriptions stay.
    </ConfirmDialog>
  )
}
