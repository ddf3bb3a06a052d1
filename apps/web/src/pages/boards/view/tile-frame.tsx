import { type ReactNode, type Ref, useId } from 'react'
import { classNames } from '../../../ui/class-names.ts'

/** The card of a tile: a title with small facts and actions beside it, and the content, which fills the rest. */
export function TileFrame(props: {
  ref?: Ref<HTMLElement>
  title: ReactNode
  /** Facts such as the age of the result. */
  about?: ReactNode
  actions?: ReactNode
  isBusy?: boolean
  isHighlighted?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      ref={props.ref}
      aria-labelledby={id}
      aria-busy={props.isBusy || undefined}
      className={classNames(
        '@container flex h-full min-w-0 flex-col overflow-hidden rounded-lg border bg-surface',
        props.isHighlighted ? 'border-accent outline-2 outline-accent' : 'border-line',
      )}
    >
      <header className={classNames('flex min-h-9 items-center gap-2 pt-1 pl-3', props.actions === undefined ? 'pr-3' : 'pr-1')}>
        <h2 id={id} className="mr-auto min-w-0 truncate text-sm font-medium">{props.title}</h2>
        {props.about !== undefined && <span className="shrink-0 truncate text-xs text-soft">{props.about}</span>}
        {props.actions}
      </header>
      <div className="min-h-0 min-w-0 flex-1 overflow-auto px-3 pb-2">{props.children}</div>
    </section>
  )
}
