import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

/** A bordered part of a page. With a `title` it is a named region. */
export function Card(props: { title?: string; description?: ReactNode; actions?: ReactNode; className?: string; children: ReactNode }) {
  const id = useId()
  const body = classNames('rounded-lg border border-line bg-surface', props.className)
  if (props.title === undefined) return <div className={body}>{props.children}</div>
  return (
    <section className={body} aria-labelledby={id}>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        <div className="mr-auto min-w-0">
          <h2 id={id}>{props.title}</h2>
          {props.description !== undefined && <div className="text-soft">{props.description}</div>}
        </div>
        {props.actions !== undefined && <div className="flex flex-wrap gap-2">{props.actions}</div>}
      </header>
      <div className="p-4">{props.children}</div>
    </section>
  )
}
