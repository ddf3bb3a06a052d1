import { Fragment, type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react'
import { Card } from '../ui/card.tsx'
import { useNearRows } from './use-near-rows.ts'
import type { ListSelection } from './use-selection.ts'

/** A list of items that can be chosen. It may have thousands, so only rows near the screen are rendered. */
export function ItemList<Item>(props: {
  label: string
  items: Item[]
  keyOf(item: Item): string
  selection: ListSelection<Item>
  /** Shows earlier results while new ones load. */
  isStale?: boolean
  ref?: RefObject<HTMLUListElement | null>
  onKeyDown?(event: KeyboardEvent): void
  /** Renders the `li` of an item. */
  children(item: Item): ReactNode
}) {
  const { label, items, keyOf, selection, isStale = false, children: row } = props
  const ownRef = useRef<HTMLUListElement>(null)
  const ref = props.ref ?? ownRef
  const nearRows = useNearRows(ref, items.length)
  return (
    <Card className="overflow-hidden">
      <ul
        ref={ref}
        aria-label={label}
        aria-busy={isStale}
        className={`divide-y divide-line transition-opacity ${isStale ? 'opacity-60' : ''}`}
        onKeyDown={(event) => {
          selection.onKeyDown(event)
          props.onKeyDown?.(event)
        }}
      >
        {items.map((item, index) =>
          nearRows.isNear(index) ? (
            <Fragment key={keyOf(item)}>{row(item)}</Fragment>
          ) : (
            <li key={keyOf(item)} aria-hidden="true" style={{ blockSize: nearRows.heightOf(index) }} />
          ),
        )}
      </ul>
    </Card>
  )
}
