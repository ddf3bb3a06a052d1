import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Sigma, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { deleteMetric, type Metric, metricsOptions } from '../../api/knowledge.ts'
import { membersOptions } from '../../api/members.ts'
import { ManagedBadge, useManagedUrl } from '../../items/managed-badge.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { MetricDialog } from './metric-dialog.tsx'

export function MetricsTab({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery(metricsOptions)
  const [edited, setEdited] = useState<Metric | 'new'>()
  const [deleted, setDeleted] = useState<Metric>()
  const add = <Button kind="primary" icon={<Plus />} onClick={() => setEdited('new')}>Add metric</Button>
  return (
    <Loaded query={query}>
      {(metrics) => (
        <div className="grid max-w-3xl gap-4">
          {metrics.length === 0 ? (
            <EmptyState title="Agree on your figures" icon={<Sigma />} {...(isAdmin && { action: add })}>
              <p>A metric defines how a figure is computed, so that everyone who asks for it gets the same answer.</p>
            </EmptyState>
          ) : (
            <>
              {isAdmin && <div>{add}</div>}
              <ul className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="Metrics">
                {metrics.map((metric) => (
                  <MetricItem
                    key={metric.id}
                    metric={metric}
                    onEdit={isAdmin ? () => setEdited(metric) : undefined}
                    onDelete={isAdmin ? () => setDeleted(metric) : undefined}
                  />
                ))}
              </ul>
            </>
          )}
          {edited && (
            <MetricDialog
              key={edited === 'new' ? 'new' : edited.id}
              {...(edited !== 'new' && { metric: edited })}
              onClose={() => setEdited(undefined)}
            />
          )}
          {deleted && <DeleteMetric metric={deleted} onClose={() => setDeleted(undefined)} />}
        </div>
      )}
    </Loaded>
  )
}

function MetricItem(props: { metric: Metric; onEdit: (() => void) | undefined; onDelete: (() => void) | undefined }) {
  const { metric, onEdit, onDelete } = props
  const { id, name, unit, description, synonyms, definition, ownerId } = metric
  const members = useQuery({ ...membersOptions, enabled: ownerId !== null })
  const managedUrl = useManagedUrl('metric', id)
  const isManaged = managedUrl !== undefined
  const owner = members.data?.find((member) => member.id === ownerId)
  return (
    <li id={id} className="scroll-mt-16">
      <Card className="grid gap-2 p-4">
        <div className="flex items-center gap-2">
          <h2 className="mr-auto min-w-0 [overflow-wrap:anywhere]">
            {name} {unit !== null && <span className="font-normal text-soft">in {unit}</span>}
          </h2>
          <ManagedBadge url={managedUrl} />
          {onEdit && !isManaged && <IconButton label={`Edit ${name}`} icon={<Pencil />} onClick={onEdit} />}
          {onDelete && !isManaged && <IconButton label={`Delete ${name}`} icon={<Trash2 />} onClick={onDelete} />}
        </div>
        {description !== '' && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{description}</p>}
        <p className="text-xs text-soft [overflow-wrap:anywhere]">
          {[synonyms.length > 0 && `Also called ${synonyms.join(', ')}`, owner && `Ask ${owner.name} about it`].filter(Boolean).join(' · ')}
        </p>
        {definition.kind === 'sql' ? (
          <details>
            <summary className="w-fit rounded text-soft hover:text-ink">SQL{' '}<InDatabase id={definition.databaseId} /></summary>
            <div className="mt-2"><CodeBlock text={definition.sql} label={`SQL of ${name}`} /></div>
          </details>
        ) : (
          <p>Computed by a <TextLink href={paths.permalink(definition.shortId)}>saved query</TextLink></p>
        )}
      </Card>
    </li>
  )
}

function InDatabase({ id }: { id: string }) {
  const { data } = useQuery(databasesOptions())
  const database = data?.find((each) => each.id === id)
  return <>{database ? `in ${database.name}` : ''}</>
}

function DeleteMetric({ metric, onClose }: { metric: Metric; onClose(): void }) {
  const client = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => deleteMetric(metric.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['knowledge'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${metric.name}?`}
      confirmLabel="Delete metric"
      isOpen
      onOpenChange={onClose}
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      Agents no longer use it. You can restore it from the history.
    </ConfirmDialog>
  )
}
