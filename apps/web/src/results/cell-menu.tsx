import { Maximize2, MessageSquarePlus } from 'lucide-react'
import { ContextMenu } from 'radix-ui'
import { type MouseEvent, type PointerEvent, type ReactElement, useRef } from 'react'
import { actAfterClosing, menuContentClass, menuItemClass } from '../ui/menu.tsx'
import type { Place } from './grid-selection.ts'
import { placeOf } from './use-grid-mouse.ts'

/**
 * The menu of a cell: opened by a right click, a long press, or the menu key for the active cell. Without `onComment` the browser's own
 * menu opens.
 */
export function CellMenu(props: {
  active: Place | null
  onSelect(place: Place): void
  onOpen(place: Place): void
  onComment: ((place: Place) => void) | undefined
  children: ReactElement
}) {
  const { active, onComment } = props
  const place = useRef<Place | null>(null)
  const afterClosing = useRef<(() => void) | null>(null)
  const remember = (event: MouseEvent | PointerEvent) => {
    const under = placeOf(event)
    const isCell = under !== undefined && under.column !== -1
    place.current = isCell ? under : event.target === event.currentTarget ? active : null
    return place.current
  }
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger
        asChild
        disabled={!onComment}
        onPointerDown={remember}
        onContextMenu={(event) => {
          if (!onComment) return
          const chosen = remember(event)
          if (chosen) props.onSelect(chosen)
          // There is nothing to offer for a header or a row number.
          else event.preventDefault()
        }}
      >
        {props.children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          className={menuContentClass}
          collisionPadding={8}
          onCloseAutoFocus={() => actAfterClosing(afterClosing)}
        >
          <ContextMenu.Item className={menuItemClass} onSelect={() => place.current && props.onOpen(place.current)}>
            <Maximize2 />
            Show full value
          </ContextMenu.Item>
          <ContextMenu.Item
            className={menuItemClass}
            onSelect={() => {
              const chosen = place.current
              afterClosing.current = () => chosen && onComment?.(chosen)
            }}
          >
            <MessageSquarePlus />
            Comment on this value
          </ContextMenu.Item>
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}
