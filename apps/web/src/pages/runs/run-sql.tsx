import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOptionsOf } from '../../api/queries.ts'
import type { RunInFull } from '../../api/runs.ts'
import { StoredSql } from '../../editor/stored-sql.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

/** The exact text that was executed; open at once where it failed, with the place of the fault marked. */
export function RunSql({ run }: { run: RunInFull }) {
  const [wanted, setWanted] = useState<boolean>()
  const isOpen = wanted ?? run.status === 'failed'
  return (
    <details
      className="overflow-hidden rounded-lg border border-line bg-surface"
      open={isOpen}
      onToggle={(event) => setWanted(event.currentTarget.open)}
    >
      <summary className="px-4 py-2 font-medium">SQL as it ran</summary>
      {isOpen && (
        <div className="border-t border-line">
          <StoredSql
            queryId={run.queryId}
            className="max-h-96 overflow-auto"
            label="SQL as it ran"
            value={run.renderedSql}
            error={run.errorPosition && { position: run.errorPosition, message: run.failureReason ?? '' }}
          />
          <div className="flex flex-wrap gap-2 border-t border-line px-3 py-2">
            <CopyButton text={run.renderedSql} label="Copy SQL as it ran" />
            <OpenAsNew run={run} />
          </div>
        </div>
      )}
    </details>
  )
}

/** An address has room for so much. */
const addressMaxCharacters = 4000

function OpenAsNew({ run }: { run: RunInFull }) {
  const { data: query } = useQuery(queryOptionsOf(run.queryId))
  if (!query || run.renderedSql.length > addressMaxCharacters) return null
  const draft = { database: query.analyticalDatabaseConfigId, sql: run.renderedSql }
  return <ButtonLink kind="ghost" href={paths.newQuery(draft)}>Open as a new query</ButtonLink>
}
