import type { ListSelection } from './use-selection.ts'

/**
 * Chooses a row of a list; with Shift, all rows since the last one. It takes the place of the row's icon, which hides while the row is
 * hovered or anything is chosen. The row is a `group`, and its icon has `iconClass`.
 */
export function SelectBox<Item extends { title: string }>({ item, selection }: { item: Item; selection: ListSelection<Item> }) {
  const isSelecting = selection.items.length > 0
  return (
    <input
      type="checkbox"
      aria-label={`Select ${item.title}`}
      checked={selection.isSelected(item)}
      // Set by the click, which knows whether Shift is pressed.
      onChange={() => undefined}
      onClick={(event) => selection.toggle(item, event.shiftKey)}
      className={`absolute top-3.5 left-4 z-10 size-4 accent-accent lg:top-1/2 lg:-translate-y-1/2 ${isSelecting ? '' : 'opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100'}`}
    />
  )
}

export const iconClass = (selection: { items: unknown[] }) =>
  selection.items.length > 0
    ? 'contents *:invisible'
    : 'contents group-hover:*:invisible group-has-[input:focus-visible]:*:invisible pointer-coarse:*:invisible'
