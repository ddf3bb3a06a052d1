import type { Run } from '../../api/runs.ts'

/** The SQL as it is stored and, where parameters changed it, as the shown run executed it. */
export function SqlDetails({ sql, run }: { sql: string; run: Run | null }) {
  return (
    <section className="sql">
      <details>
        <summary>SQL</summary>
        <pre>{sql}</pre>
      </details>
      {run && run.renderedSql !== sql && (
        <details>
          <summary>SQL as it ran</summary>
          <pre>{run.renderedSql}</pre>
        </details>
      )}
    </section>
  )
}
