import { DropdownMenu } from 'radix-ui'
import { createContext, type ReactNode, type RefObject, useContext, useRef } from 'react'
import { navigate } from '../location.tsx'
import { classNames } from './class-names.ts'

export const menuContentClass = 'z-50 max-h-[70dvh] min-w-44 overflow-y-auto rounded-md border border-line bg-surface p-1 shadow-lg'

/** A dropdown menu, opened by its `trigger`. */
export function Menu({ trigger, align = 'end', children }: { trigger: ReactNode; align?: 'start' | 'end'; children: ReactNode }) {
  const afterClosing = useRef<(() => void) | null>(null)
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={menuContentClass}
          onCloseAutoFocus={() => actAfterClosing(afterClosing)}
        >
          <AfterClosing value={afterClosing}>{children}</AfterClosing>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** What a chosen item does once the menu has closed. */
const AfterClosing = createContext<RefObject<(() => void) | null> | null>(null)

/** Acts when the focus is back at the trigger, so that the action can move it. */
export function actAfterClosing(chosen: RefObject<(() => void) | null>): void {
  const act = chosen.current
  chosen.current = null
  if (act) queueMicrotask(act)
}

export const menuItemClass =
  'flex w-full items-center gap-2 rounded px-2 py-1.5 text-sm outline-none select-none data-disabled:opacity-50 ' +
  'data-highlighted:bg-raised [&_svg]:size-4 [&_svg]:shrink-0'

export function MenuItem(props: {
  icon?: ReactNode
  isDangerous?: boolean
  isDisabled?: boolean
  /** Whether the item moves the focus to another part of the page. A menu keeps the focus until it has closed. */
  movesFocus?: boolean
  onSelect(): void
  children: ReactNode
}) {
  const { movesFocus = false, onSelect } = props
  const afterClosing = useContext(AfterClosing)
  return (
    <DropdownMenu.Item
      className={classNames(menuItemClass, props.isDangerous && 'text-danger')}
      disabled={props.isDisabled ?? false}
      onSelect={() => {
        if (movesFocus && afterClosing) afterClosing.current = onSelect
        else onSelect()
      }}
    >
      {props.icon}
      {props.children}
    </DropdownMenu.Item>
  )
}

/** A menu item that opens a page or, with `download`, downloads a file. */
export function MenuLink({ href, icon, download, children }: { href: string; icon?: ReactNode; download?: boolean; children: ReactNode }) {
  const item = (
    <DropdownMenu.Item asChild onSelect={download ? undefined : () => navigate(href)}>
      <a href={href} className={classNames(menuItemClass, 'text-ink no-underline')} {...(download && { download: '' })}>
        {icon}
        {children}
      </a>
    </DropdownMenu.Item>
  )
  // The browser must not load the page, but an item whose click is prevented before the menu sees it is not selected.
  return download ? item : <div role="none" className="contents" onClick={(event) => event.preventDefault()}>{item}</div>
}

/** A group of radio items. */
export function MenuChoice<Value extends string>(props: {
  label: string
  value: Value
  choices: { value: Value; label: string }[]
  onChange(value: Value): void
}) {
  return (
    <DropdownMenu.RadioGroup value={props.value} onValueChange={(value) => props.onChange(value as Value)} aria-label={props.label}>
      <MenuHeading>{props.label}</MenuHeading>
      {props.choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={classNames(menuItemClass, 'justify-between')}>
          {choice.label}
          <DropdownMenu.ItemIndicator className="text-accent">✓</DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1 text-xs text-soft">{children}</DropdownMenu.Label>
}

export function MenuDivider() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />
}
