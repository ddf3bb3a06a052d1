import { useMemo, useRef, useState } from 'react'
import type { Database } from '../../api/databases.ts'
import { runQuery, storeQuery } from '../../api/queries.ts'
import type { ParameterDefinition, Visualization } from '../../api/references.ts'
import { placeInTemplate } from '../../parameters/place-in-template.ts'
import { definitionsFor, mergeDefinitions, placeholdersIn } from '../../parameters/placeholders.ts'
import { type Values, valuesToSend } from '../../parameters/values.ts'
import { useRuns } from '../../results/use-runs.ts'

/** What a page opens the workbench with. */
export interface Beginning {
  sql: string
  databaseId: string
  parameters: ParameterDefinition[]
  values: Values
  visualization: Visualization | null
  /** The query with exactly this SQL and database, if there is one; its runs are shown. */
  queryId: string | null
  /** It is from a draft. */
  isUnsaved?: boolean
}

/**
 * A query while it is being written.
 *
 * - `stored`: the last query that was stored for the text. A query's SQL never changes, so text that differs from it is
 *   stored as another query, when it is run or saved and not before.
 * - `known`: all definitions there have ever been here; `definitions` are those of the placeholders in the text now. A
 *   placeholder that is gone for a moment gets its settings back.
 */
export function useWorkbench(beginning: Beginning, databases: Database[]) {
  const [sql, setSql] = useState(beginning.sql)
  const [databaseId, setDatabaseId] = useState(beginning.databaseId)
  const [known, setKnown] = useState(beginning.parameters)
  const [values, setValues] = useState(beginning.values)
  const [visualization, setVisualization] = useState(beginning.visualization)
  const [stored, setStored] = useState(() =>
    beginning.queryId === null ? null : { queryId: beginning.queryId, sql: beginning.sql, databaseId: beginning.databaseId },
  )
  const newest = useRef(stored)
  const { runs, ...following } = useRuns({ queryId: beginning.queryId })
  const database = databases.find(({ id }) => id === databaseId)
  const dialect = database?.engine ?? 'duckdb'
  const definitions = useMemo(() => definitionsFor(placeholdersIn(sql, dialect), known), [sql, dialect, known])
  const allValues: Values = Object.fromEntries(definitions.map(({ name, defaultValue }) => [name, values[name] ?? defaultValue]))

  async function store(): Promise<string> {
    const current = newest.current
    if (current?.sql === sql && current.databaseId === databaseId) return current.queryId
    const query = await storeQuery({ sql, analyticalDatabaseConfigId: databaseId })
    newest.current = { queryId: query.id, sql, databaseId }
    setStored(newest.current)
    return query.id
  }

  const failed = runs.problem?.run
  const error = useMemo(() => {
    if (!failed?.errorPosition || failed.queryId !== newest.current?.queryId) return null
    const place = { sql: newest.current.sql, renderedSql: failed.renderedSql, dialect, place: failed.errorPosition }
    const position = placeInTemplate(place)
    return position && { position, message: failed.failureReason ?? '' }
    // The mark is made once for a run; the editor moves it along with the text from then on.
  }, [failed?.id])

  return {
    sql,
    setSql,
    database,
    setDatabaseId,
    dialect,
    definitions,
    define: (changed: ParameterDefinition) => setKnown(mergeDefinitions(known, [changed])),
    values: allValues,
    setValues: (changed: Values) => setValues({ ...values, ...changed }),
    visualization,
    setVisualization,
    stored,
    store,
    runs,
    error,
    run(): void {
      if (sql.trim() === '' || runs.isStarting || runs.active) return
      following.start(
        async () => {
          const parameterValues = valuesToSend(definitions, allValues)
          return runQuery(await store(), { parameterValues, parameters: definitions })
        },
        () => newest.current?.queryId ?? null,
      )
    },
    stop: following.stop,
    show: following.show,
    /** What would be lost without a draft. */
    unsaved: isChanged()
      ? {
          sql,
          databaseId,
          parameters: mergeDefinitions(known, definitions),
          values: allValues,
          queryId: stored?.sql === sql ? stored.queryId : null,
        }
      : null,
  }

  function isChanged(): boolean {
    if (sql.trim() === '') return false
    return beginning.isUnsaved || sql !== beginning.sql || databaseId !== beginning.databaseId || known !== beginning.parameters
  }
}

export type WorkbenchState = ReturnType<typeof useWorkbench>
