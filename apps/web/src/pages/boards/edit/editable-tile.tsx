import { ArrowDown, ArrowUp, CopyPlus, Ellipsis, FolderInput, Settings2, Trash2 } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { BoardTab, Tile } from '../../../api/boards.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuDivider, MenuItem } from '../../../ui/menu.tsx'
import type { Direction } from '../content/layout.ts'

export interface TileActions {
  onMove(direction: Direction): void
  onResize(direction: Direction): void
  /** Moves it up or down in one column, on a phone. */
  onReorder(direction: 'up' | 'down'): void
  onSettings(): void
  onDuplicate(): void
  onMoveToTab(tabId: string): void
  onRemove(): void
}

const directions: Record<string, Direction> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }

/**
 * A tile while the board is edited. Its content can be seen but not used. The whole tile is dragged with the mouse; with the
 * keyboard, arrows move the focused tile, Shift+arrows resize it, and Delete removes it.
 */
export function EditableTile(
  props: TileActions & {
    tile: Tile
    name: string
    /** The id of the text that explains the keys. */
    helpId: string
    isInList: boolean
    otherTabs: BoardTab[]
    children: ReactNode
  },
) {
  const { tile, name, isInList } = props
  const handleKey = (event: KeyboardEvent) => {
    // Keys in the buttons of the tile belong to these.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const direction = directions[event.key]
    if (direction && isInList) {
      if (direction !== 'up' && direction !== 'down') return
      props.onReorder(direction)
    } else if (direction && event.shiftKey) props.onResize(direction)
    else if (direction) props.onMove(direction)
    else if (event.key === 'Enter') props.onSettings()
    else if (event.key === 'Delete' || event.key === 'Backspace') props.onRemove()
    else return
    event.preventDefault()
  }
  return (
    <div
      id={`tile-${tile.id}`}
      role="group"
      tabIndex={0}
      aria-label={name}
      aria-describedby={props.helpId}
      className="relative h-full min-w-0 rounded-lg outline-1 outline-dashed outline-line-strong focus-visible:outline-2 focus-visible:outline-solid focus-visible:outline-focus"
      onKeyDown={handleKey}
    >
      <div inert className="h-full min-w-0">{props.children}</div>
      <div className={isInList ? 'absolute inset-0' : 'tile-handle absolute inset-0 cursor-move'} aria-hidden="true" />
      <div className="absolute top-1 right-1 flex rounded-md bg-surface">
        {isInList && (
          <>
            <IconButton label={`Move ${name} up`} icon={<ArrowUp />} onClick={() => props.onReorder('up')} />
            <IconButton label={`Move ${name} down`} icon={<ArrowDown />} onClick={() => props.onReorder('down')} />
          </>
        )}
        <IconButton label={`Settings of ${name}`} icon={<Settings2 />} className="size-7" onClick={props.onSettings} />
        <Menu trigger={<IconButton label={`Actions for ${name}`} icon={<Ellipsis />} className="size-7" />}>
          <MenuItem icon={<CopyPlus />} onSelect={props.onDuplicate}>Duplicate tile</MenuItem>
          {props.otherTabs.map(({ id, title }) => (
            <MenuItem key={id} icon={<FolderInput />} onSelect={() => props.onMoveToTab(id)}>Move to “{title}”</MenuItem>
          ))}
          <MenuDivider />
          <MenuItem icon={<Trash2 />} isDangerous onSelect={props.onRemove}>Remove tile</MenuItem>
        </Menu>
      </div>
    </div>
  )
}
