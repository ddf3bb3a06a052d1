import { type ReactNode, useState } from 'react'
import type { Run } from '../../api/runs.ts'
import { StoredSql } from '../../editor/stored-sql.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

/** The stored SQL and, if parameters changed it, the SQL that the shown run executed. The editor loads when opened. */
export function SqlDetails(props: { query: { id: string; sql: string }; run: Run | null; actions?: ReactNode }) {
  const { query: { id, sql }, run, actions } = props
  return (
    <section className="grid gap-2" aria-label="SQL">
      <Sql queryId={id} title="SQL" text={sql} actions={actions} />
      {run && run.renderedSql !== sql && <Sql queryId={id} title="Executed SQL" text={run.renderedSql} />}
    </section>
  )
}

function Sql(props: { queryId: string; title: string; text: string; actions?: ReactNode }) {
  const { queryId, title, text, actions } = props
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="overflow-hidden rounded-lg border border-line bg-surface"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="px-4 py-2 font-medium">{title}</summary>
      {isOpen && (
        <div className="border-t border-line">
          <StoredSql queryId={queryId} className="max-h-96 overflow-auto" label={title} value={text} />
          <div className="flex gap-2 border-t border-line px-3 py-2">
            <CopyButton text={text} label={title === 'SQL' ? 'Copy SQL' : 'Copy executed SQL'} />
            {actions}
          </div>
        </div>
      )}
    </details>
  )
}
