import { Check } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'

/**
 * Chooses a row of a list; with Shift, all rows since the last one. It takes the place of the row's icon, which hides while the row is
 * hovered or anything is chosen. The row is a `group`, and its icon has `iconClass`.
 */
export function SelectBox<Item extends { title: string }>({ item, isSelected, isSelecting, onToggle }: {
  item: Item
  isSelected: boolean
  /** Whether any row is chosen. */
  isSelecting: boolean
  onToggle(this: void, item: Item, isRange: boolean): void
}) {
  return (
    <span className="absolute inset-y-0 left-0 z-10 w-11">
      <input
        type="checkbox"
        aria-label={`Select ${item.title}`}
        checked={isSelected}
        // Set by the click, which knows whether Shift is pressed.
        onChange={() => undefined}
        onClick={(event) => onToggle(item, event.shiftKey)}
        // Larger than the box that it draws, to be easy to hit.
        className="peer absolute inset-0 m-0 size-full opacity-0"
      />
      <span
        aria-hidden="true"
        className={classNames(
          'pointer-events-none absolute top-3.5 left-4 grid size-4 place-items-center rounded-xs border border-line-strong bg-surface text-on-accent',
          'peer-checked:border-accent peer-checked:bg-accent lg:top-1/2 lg:-translate-y-1/2 not-peer-checked:*:invisible',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus',
          !isSelecting && 'opacity-0 group-hover:opacity-100 peer-focus-visible:opacity-100 pointer-coarse:opacity-100',
        )}
      >
        <Check className="size-3" strokeWidth={3} />
      </span>
    </span>
  )
}

export const iconClass = (isSelecting: boolean) =>
  isSelecting
    ? 'contents *:invisible'
    : 'contents group-hover:*:invisible group-has-[input:focus-visible]:*:invisible pointer-coarse:*:invisible'
