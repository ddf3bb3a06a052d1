import { embeddedEngine } from '@querypost/server/engine-definitions'
import { useMemo, useRef, useState } from 'react'
import type { Database } from '../../api/databases.ts'
import type { Selection } from '../../editor/sql-editor.tsx'
import { runQuery, storeQuery } from '../../api/queries.ts'
import type { ParameterDefinition, Visualization } from '../../api/references.ts'
import { missingValues } from '../../parameters/missing-values.ts'
import { placeAfter, placeInTemplate } from '../../parameters/place-in-template.ts'
import { definitionsFor, mergeDefinitions, placeholdersIn } from '../../parameters/placeholders.ts'
import { defaultOf, type Value, type Values, valuesToSend } from '../../parameters/values.ts'
import { useRuns } from '../../results/use-runs.ts'
import type { FittedTo } from './use-fitting-chart.ts'

/** The query a page opens the workbench with. */
export interface InitialQuery {
  sql: string
  databaseId: string
  parameters: ParameterDefinition[]
  values: Values
  visualization: Visualization | null
  /** The stored query with exactly this SQL and database, if any; its runs are shown. */
  queryId: string | null
  /** Whether it comes from a draft. */
  isUnsaved?: boolean
}

/**
 * The state of a query while it is being edited.
 *
 * - `stored`: the query last stored for the SQL. The SQL of a stored query never changes, so edited SQL is stored as another
 *   query, when it is run or saved and not before.
 * - `known`: every definition seen so far; `definitions` are those of the placeholders in the SQL now. A placeholder that is
 *   removed and typed again gets its settings back.
 */
export function useWorkbench(initial: InitialQuery, databases: Database[]) {
  const [sql, setSql] = useState(initial.sql)
  const [databaseId, setDatabaseId] = useState(initial.databaseId)
  const [known, setKnown] = useState(initial.parameters)
  const [values, setValues] = useState(initial.values)
  const [visualization, setVisualization] = useState(initial.visualization)
  const fittedTo: FittedTo = useRef(null)
  const [stored, setStored] = useState(() =>
    initial.queryId === null ? null : { queryId: initial.queryId, sql: initial.sql, databaseId: initial.databaseId },
  )
  const latestStored = useRef(stored)
  /** The SQL of the latest run: all of it, or the text that was selected, which starts at `start`. */
  const latestRun = useRef(stored && { queryId: stored.queryId, sql: stored.sql, start: 0 })
  const { runs, ...following } = useRuns({ queryId: initial.queryId })
  const database = databases.find(({ id }) => id === databaseId)
  const dialect = database?.engine ?? embeddedEngine
  const definitions = useMemo(() => definitionsFor(placeholdersIn(sql, dialect), known), [sql, dialect, known])
  const allValues: Values = Object.fromEntries(definitions.map((definition) => [definition.name, fittingValue(definition, values)]))

  async function store(): Promise<string> {
    const current = latestStored.current
    if (current?.sql === sql && current.databaseId === databaseId) return current.queryId
    const query = await storeQuery({ sql, analyticalDatabaseConfigId: databaseId })
    latestStored.current = { queryId: query.id, sql, databaseId }
    setStored(latestStored.current)
    return query.id
  }

  async function storeSelected(text: string): Promise<string> {
    return (await storeQuery({ sql: text, analyticalDatabaseConfigId: databaseId })).id
  }

  const missing = missingValues(definitions, allValues)
  const [isChecked, setIsChecked] = useState(false)
  const [ranSelection, setRanSelection] = useState<string | null>(null)

  const failed = runs.problem?.run
  const error = useMemo(() => {
    const ran = latestRun.current
    if (!failed?.errorPosition || failed.queryId !== ran?.queryId) return null
    const inRun = placeInTemplate({ sql: ran.sql, renderedSql: failed.renderedSql, dialect, place: failed.errorPosition })
    const position = inRun && placeAfter(sql.slice(0, ran.start), inRun)
    return position && { position, message: failed.failureReason ?? '' }
    // Set the mark once per run; the editor moves it as the text changes.
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
    /** Messages about missing values, by parameter; empty until the first run. */
    faults: isChecked ? missing : {},
    /** Stores only the values that differ from those shown: the others follow their defaults, which may change. */
    setValues(changed: Values): void {
      const entered = Object.entries(changed).filter(([name, value]) => value !== allValues[name])
      setValues({ ...values, ...Object.fromEntries(entered) })
    },
    visualization,
    setVisualization,
    fittedTo,
    stored,
    store,
    runs,
    error,
    /** Runs all of the SQL, or only the selected text. */
    run(selection?: Selection | null): void {
      if (sql.trim() === '' || runs.isStarting || runs.active) return
      const used = selection ? definitionsFor(placeholdersIn(selection.text, dialect), known) : definitions
      const isMissing = used.some(({ name }) => name in missing)
      setIsChecked(isMissing)
      if (isMissing) return
      following.start(
        async () => {
          const queryId = selection ? await storeSelected(selection.text) : await store()
          latestRun.current = { queryId, sql: selection?.text ?? sql, start: selection?.start ?? 0 }
          setRanSelection(selection ? queryId : null)
          return runQuery(queryId, { parameterValues: valuesToSend(used, allValues), parameters: used })
        },
        () => latestRun.current?.queryId ?? null,
      )
    },
    /** The query of the selected text that was run last; null if all of the SQL was. */
    ranSelection,
    stop: following.stop,
    show: following.show,
    /** The content to keep as a draft; null if nothing would be lost. */
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
    return initial.isUnsaved || sql !== initial.sql || databaseId !== initial.databaseId || known !== initial.parameters
  }
}

/** A parameter that became a list, or no longer is one, keeps nothing of its old value. */
function fittingValue(definition: ParameterDefinition, values: Values): Value {
  const value = values[definition.name]
  return value !== undefined && Array.isArray(value) === (definition.isList === true) ? value : defaultOf(definition)
}

export type WorkbenchState = ReturnType<typeof useWorkbench>
