import { Switch as Radix } from 'radix-ui'
import { useId } from 'react'

/** A toggle that takes effect immediately. */
export function Switch(props: {
  label: string
  isOn: boolean
  isDisabled?: boolean
  hint?: string
  onChange(isOn: boolean): void
}) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <Radix.Root
        id={id}
        checked={props.isOn}
        disabled={props.isDisabled}
        onCheckedChange={props.onChange}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        className="mt-0.5 h-5 w-9 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors disabled:opacity-55 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-4" />
      </Radix.Root>
      <div>
        <label htmlFor={id}>{props.label}</label>
        {props.hint !== undefined && <p id={`${id}-hint`} className="text-xs text-soft">{props.hint}</p>}
      </div>
    </div>
  )
}
