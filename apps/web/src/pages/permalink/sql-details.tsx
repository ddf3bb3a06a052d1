import { type ReactNode, useState } from 'react'
import type { Run } from '../../api/runs.ts'
import { SqlEditor } from '../../editor/sql-editor.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

/** The SQL as it is stored and, where parameters changed it, as the shown run executed it. Loaded when somebody wants it. */
export function SqlDetails({ sql, run, actions }: { sql: string; run: Run | null; actions?: ReactNode }) {
  return (
    <section className="grid gap-2" aria-label="SQL">
      <Sql title="SQL" text={sql} actions={actions} />
      {run && run.renderedSql !== sql && <Sql title="SQL as it ran" text={run.renderedSql} />}
    </section>
  )
}

function Sql({ title, text, actions }: { title: string; text: string; actions?: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="overflow-hidden rounded-lg border border-line bg-surface"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="px-4 py-2 font-medium">{title}</summary>
      {isOpen && (
        <div className="border-t border-line">
          <SqlEditor className="max-h-96 overflow-auto" label={title} value={text} dialect="duckdb" isReadOnly />
          <div className="flex gap-2 border-t border-line px-3 py-2">
            <CopyButton text={text} label={`Copy ${title}`} />
            {actions}
          </div>
        </div>
      )}
    </details>
  )
}
