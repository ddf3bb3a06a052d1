import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOptionsOf } from '../../api/queries.ts'
import type { RunInFull } from '../../api/runs.ts'
import { StoredSql } from '../../editor/stored-sql.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

/** The exact SQL that was executed; open by default if it failed, with the position of the error marked. */
export function RunSql({ run }: { run: RunInFull }) {
  const [toggled, setToggled] = useState<boolean>()
  const isOpen = toggled ?? (run.status === 'failed' && !run.isStopped)
  return (
    <details
      className="overflow-hidden rounded-lg border border-line bg-surface"
      open={isOpen}
      onToggle={(event) => setToggled(event.currentTarget.open)}
    >
      <summary className="px-4 py-2 font-medium">Executed SQL</summary>
      {isOpen && (
        <div className="border-t border-line">
          <StoredSql
            queryId={run.queryId}
            className="max-h-96 overflow-auto"
            label="Executed SQL"
            value={run.renderedSql}
            error={run.errorPosition && { position: run.errorPosition, message: run.failureReason ?? '' }}
          />
          <div className="flex flex-wrap gap-2 border-t border-line px-3 py-2">
            <CopyButton text={run.renderedSql} label="Copy executed SQL" />
            <OpenAsNew run={run} />
          </div>
        </div>
      )}
    </details>
  )
}

/** Longer URLs are not reliable. */
const urlMaxCharacters = 4000

function OpenAsNew({ run }: { run: RunInFull }) {
  const { data: query } = useQuery(queryOptionsOf(run.queryId))
  if (!query || run.renderedSql.length > urlMaxCharacters) return null
  const draft = { database: query.analyticalDatabaseConfigId, sql: run.renderedSql }
  return <ButtonLink kind="ghost" href={paths.newQuery(draft)}>Open as new query</ButtonLink>
}
