import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { navigate } from '../location.tsx'
import { classNames } from './class-names.ts'

/** A dropdown menu, opened by its `trigger`. */
export function Menu({ trigger, align = 'end', children }: { trigger: ReactNode; align?: 'start' | 'end'; children: ReactNode }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[70dvh] min-w-44 overflow-y-auto rounded-md border border-line bg-surface p-1 shadow-lg"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const item =
  'flex w-full items-center gap-2 rounded px-2 py-1.5 text-sm outline-none select-none data-disabled:opacity-50 ' +
  'data-highlighted:bg-raised [&_svg]:size-4 [&_svg]:shrink-0'

export function MenuItem(props: {
  icon?: ReactNode
  isDangerous?: boolean
  isDisabled?: boolean
  onSelect(): void
  children: ReactNode
}) {
  return (
    <DropdownMenu.Item
      className={classNames(item, props.isDangerous && 'text-danger')}
      disabled={props.isDisabled ?? false}
      onSelect={props.onSelect}
    >
      {props.icon}
      {props.children}
    </DropdownMenu.Item>
  )
}

/** A menu item that opens a page or, with `download`, downloads a file. */
export function MenuLink({ href, icon, download, children }: { href: string; icon?: ReactNode; download?: boolean; children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild onSelect={download ? undefined : () => navigate(href)}>
      <a
        href={href}
        className={classNames(item, 'text-ink no-underline')}
        {...(download ? { download: '' } : { onClick: (event) => event.preventDefault() })}
      >
        {icon}
        {children}
      </a>
    </DropdownMenu.Item>
  )
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
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={classNames(item, 'justify-between')}>
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
