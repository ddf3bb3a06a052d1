import { Star } from 'lucide-react'
import { type KeyboardEvent, memo, type RefObject } from 'react'
import type { FoundReference } from '../../api/references.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Status } from '../../ui/status.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { BulkActions } from '../../items/bulk-actions.tsx'
import { startDrag } from '../../items/dragged-item.ts'
import { ItemList } from '../../items/item-list.tsx'
import { OrganizeButton } from '../../items/organize-button.tsx'
import { iconClass, SelectBox } from '../../items/select-box.tsx'
import { type ListSelection, useSelection } from '../../items/use-selection.ts'
import { ChartIcon } from './chart-icon.tsx'

/** `isStale`: shows earlier results while new ones load. */
export function ReferenceList(props: {
  items: FoundReference[]
  isStale: boolean
  ref: RefObject<HTMLUListElement | null>
  onKeyDown(event: KeyboardEvent): void
}) {
  const selection = useSelection(props.items)
  return (
    <>
      <ItemList {...props} label="Queries" keyOf={({ id }) => id} selection={selection}>
        {(reference) => (
          <ReferenceRow
            reference={reference}
            isSelected={selection.isSelected(reference)}
            isSelecting={selection.items.length > 0}
            onToggle={selection.toggle}
          />
        )}
      </ItemList>
      <BulkActions kind="reference" selection={selection} />
    </>
  )
}

export const rowColumns =
  'grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 gap-y-1 px-4 py-3 lg:grid-cols-[1rem_minmax(0,1fr)_10rem_13rem] lg:items-center'

/** Each page that is loaded adds rows to a list that may have thousands: the others are not rendered again. */
const ReferenceRow = memo(function ReferenceRow({ reference, isSelected, isSelecting, onToggle }: {
  reference: FoundReference
  isSelected: boolean
  isSelecting: boolean
  onToggle: ListSelection<FoundReference>['toggle']
}) {
  const { shortId, title, isOptimistic, createdByName, latestRun, tags } = reference
  const item = { kind: 'reference', shortId } as const
  return (
    <li className={`group relative ${isSelected ? 'bg-accent-wash' : ''}`}>
      <SelectBox item={reference} isSelected={isSelected} isSelecting={isSelecting} onToggle={onToggle} />
      <Link
        href={paths.permalink(shortId)}
        draggable
        onDragStart={(event) => startDrag(event, { ...item, title })}
        className={`${rowColumns} pr-12 text-ink no-underline hover:bg-raised focus-visible:bg-raised focus-visible:-outline-offset-2`}
      >
        <span className={iconClass(isSelecting)}><ChartIcon type={reference.visualizationType} /></span>
        <span className="grid min-w-0 gap-0.5">
          <span className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
            {title} {isOptimistic && <Badge>Being written</Badge>} <VerifiedBadge verification={reference.verification} />
            {reference.isFavorite && <Star className="size-3.5 fill-current text-accent" aria-label="Favorite" />}
            {tags.map((tag) => <Badge key={tag}>{tag}</Badge>)}
          </span>
          <About reference={reference} />
        </span>
        <span className="col-start-2 flex flex-wrap gap-x-3 text-xs text-soft lg:contents lg:text-sm">
          <span className="truncate">{createdByName}</span>
          {latestRun ? (
            <span className="flex items-center gap-x-2 lg:justify-end">
              <Status status={latestRun.status} isStopped={latestRun.isStopped} />
              <span><RelativeTime at={latestRun.completedAt ?? latestRun.runAt} /></span>
            </span>
          ) : (
            <span className="lg:text-right">Not run yet</span>
          )}
        </span>
      </Link>
      <OrganizeButton item={item} title={title} className="absolute top-2.5 right-2.5 lg:top-1/2 lg:-translate-y-1/2" />
    </li>
  )
})

/** The description or, without one, the beginning of the SQL. */
function About({ reference: { description, currentQuery } }: { reference: FoundReference }) {
  if (description !== null && description.trim() !== '') return <span className="truncate text-sm text-soft">{description}</span>
  if (currentQuery.sql === '') return null
  return <code className="truncate font-mono text-xs text-soft">{currentQuery.sql.slice(0, 300).replaceAll(/\s+/g, ' ')}</code>
}
