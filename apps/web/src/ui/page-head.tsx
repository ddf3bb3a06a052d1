import type { ReactNode } from 'react'

/** The head of a page: title, description and actions. */
export function PageHead(props: { title: ReactNode; description?: ReactNode; actions?: ReactNode; above?: ReactNode }) {
  const { description } = props
  return (
    <header className="page-head mb-5 grid gap-2 sm:gap-1">
      {props.above !== undefined && <div className="text-xs text-soft">{props.above}</div>}
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <h1 className="mr-auto min-w-0">{props.title}</h1>
        {props.actions !== undefined && <div className="flex flex-wrap items-center gap-2">{props.actions}</div>}
      </div>
      {/* Sentences read best in short lines; facts and links use the whole width. */}
      {description !== undefined && <div className={`text-soft ${typeof description === 'string' ? 'max-w-3xl' : ''}`}>{description}</div>}
    </header>
  )
}
