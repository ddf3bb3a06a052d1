import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** Tabs that show one panel at a time. */
export function Tabs<Name extends string>(props: {
  label: string
  tabs: { name: Name; label: ReactNode; content: ReactNode }[]
  current: Name
  onChange(name: Name): void
}) {
  return (
    <Radix.Root value={props.current} onValueChange={(name) => props.onChange(name as Name)}>
      <Radix.List aria-label={props.label} className="flex gap-4 overflow-x-auto border-b border-line">
        {props.tabs.map(({ name, label }) => (
          <Radix.Trigger
            key={name}
            value={name}
            className="-mb-px border-b-2 border-transparent px-0.5 py-2 font-medium whitespace-nowrap text-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {props.tabs.map(({ name, content }) => (
        <Radix.Content key={name} value={name} className="pt-4">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
