import { useQuery } from '@tanstack/react-query'
import { Play, Table2, WandSparkles } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { type Database, isForSavedQueries, tablesOptions } from '../../api/databases.ts'
import { defaultSchemaOf } from '../../editor/default-schemas.ts'
import { SqlEditor, type SqlEditorHandle } from '../../editor/sql-editor.tsx'
import { ParameterForm } from '../../parameters/parameter-form.tsx'
import { ParameterSettings } from '../../parameters/parameter-settings.tsx'
import { Progress } from '../../results/progress.tsx'
import { StoppedNotice } from '../../results/stopped-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { modKey } from '../../ui/mod-key.ts'
import { Problem } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useHotkey } from '../../ui/use-hotkey.ts'
import { DatabaseSelect } from './database-select.tsx'
import { QueryEstimate } from './query-estimate.tsx'
import { SchemaPanel } from './schema-panel.tsx'
import { Splitter, useHeight } from './splitter.tsx'
import type { WorkbenchState } from './use-workbench.ts'
import { WorkbenchResult } from './workbench-result.tsx'

/** The query editor: tables at the side, SQL, parameters, and the result below. */
export function Workbench(props: {
  title: string
  above?: ReactNode
  notice?: ReactNode
  databases: Database[]
  state: WorkbenchState
  /** Shown beside the run button. */
  actions: ReactNode
}) {
  const { state, databases } = props
  const { database, runs, definitions } = state
  const editor = useRef<SqlEditorHandle>(null)
  const [isSchemaOpen, setIsSchemaOpen] = useState(false)
  const [edited, setEdited] = useState<string>()
  const tables = useQuery({ ...tablesOptions(database?.id ?? ''), enabled: database !== undefined })
  const size = useHeight({ initial: 220, min: 96, max: 900 })
  const isBusy = runs.isStarting || runs.active !== null
  const [hasSelection, setHasSelection] = useState(false)
  const toast = useToast()
  const run = () => state.run(editor.current?.selection())
  const format = async () => {
    try {
      const { formatSql } = await import('../../editor/format-sql.ts')
      editor.current?.replaceAll(formatSql(state.sql, state.dialect))
    } catch {
      toast.show({ message: 'Couldn’t format the SQL. Check it for syntax errors.', isProblem: true })
    }
  }
  useHotkey('mod+enter', run)
  const editedDefinition = definitions.find(({ name }) => name === edited)

  return (
    <article className="grid gap-4">
      <div className="-mb-4">
        <PageHead title={props.title} above={props.above} />
      </div>
      {props.notice}
      <div className="grid gap-4 lg:grid-cols-[14rem_minmax(0,1fr)]">
        {database && (
          <aside aria-label="Tables" className="hidden min-w-0 lg:block" style={{ height: size.height + 62 }}>
            <SchemaPanel database={database} onInsert={(name) => editor.current?.insertName(name)} />
          </aside>
        )}
        <div className="grid min-w-0 content-start gap-3">
          <div className="flex flex-wrap items-center gap-2">
            <Field label="Database" isLabelHidden className="mr-auto w-56 max-w-full">
              <DatabaseSelect databases={databases} value={database?.id ?? ''} onChange={state.setDatabaseId} />
            </Field>
            <Button className="lg:hidden" icon={<Table2 />} onClick={() => setIsSchemaOpen(true)}>Tables</Button>
            <Button
              kind="primary"
              icon={<Play />}
              isBusy={isBusy}
              disabled={state.sql.trim() === '' || !database}
              title={`${modKey}+Enter`}
              onClick={run}
            >
              {hasSelection ? 'Run selection' : 'Run query'}
            </Button>
            <IconButton
              label="Format SQL (Shift+Alt+F)"
              icon={<WandSparkles />}
              disabled={state.sql.trim() === ''}
              onClick={() => void format()}
            />
            {props.actions}
          </div>
          <div className="overflow-hidden rounded-lg border border-line bg-surface focus-within:border-focus">
            <div style={{ height: size.height }}>
              <SqlEditor
                ref={editor}
                className="h-full"
                label="SQL"
                value={state.sql}
                dialect={state.dialect}
                {...(database && { defaultSchema: defaultSchemaOf(database) })}
                tables={tables.data}
                parameterNames={definitions.map(({ name }) => name)}
                error={state.error}
                placeholder={database && isForSavedQueries(database) ? "select … from ref('…')" : 'select … from …'}
                onChange={state.setSql}
                onRun={run}
                onFormat={() => void format()}
                onSelectionChange={setHasSelection}
              />
            </div>
            <Splitter label="Editor height" size={size} />
          </div>
          <QueryEstimate state={state} />
          <p className="text-xs text-soft">
            {/* Phones have no such keys. */}
            <span className="max-sm:hidden">Run: {modKey}+Enter · </span>
            Parameter: {'{{name}}'}
            {database && isForSavedQueries(database) && <> · Saved query: {"ref('…')"}</>}
            <span className="max-sm:hidden"> · Leave editor: Esc, Tab · Shortcuts: ?</span>
          </p>
        </div>
      </div>
      {definitions.length > 0 && (
        <section aria-label="Parameters">
          <ParameterForm
            parameters={definitions}
            values={state.values}
            faults={state.faults}
            onChange={state.setValues}
            onSubmit={run}
            onEdit={setEdited}
          >
            {/* Lets Enter in a field run the query; the visible button is above. */}
            <button type="submit" hidden disabled={isBusy}>Run query</button>
          </ParameterForm>
        </section>
      )}
      {runs.active && <Progress {...runs.active} onStop={() => state.stop(runs.active!.run)} />}
      {runs.problem && (
        <Problem title={runs.problem.title} message={runs.problem.message} isVerbatim={runs.problem.isVerbatim ?? false} />
      )}
      {runs.stopped && <StoppedNotice message={runs.stopped.failureReason ?? 'Stopped.'} />}
      <WorkbenchResult state={state} />
      {editedDefinition && (
        <ParameterSettings
          key={editedDefinition.name}
          parameter={editedDefinition}
          others={definitions.filter(({ name }) => name !== editedDefinition.name)}
          faultPath="/parameters"
          onSave={async (changed) => {
            state.define(changed)
            setEdited(undefined)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
      {database && (
        <Dialog
          title="Tables"
          isOpen={isSchemaOpen}
          onOpenChange={setIsSchemaOpen}
          onClosed={() => editor.current?.focus()}
          isSheet
        >
          <SchemaPanel
            database={database}
            onInsert={(name) => {
              setIsSchemaOpen(false)
              editor.current?.insertName(name)
            }}
          />
        </Dialog>
      )}
    </article>
  )
}
