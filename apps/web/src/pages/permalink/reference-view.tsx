import { Play, RefreshCw, SquarePen } from 'lucide-react'
import { useState } from 'react'
import { type ReferenceInFull, runReference } from '../../api/references.ts'
import { navigate, useLocation } from '../../location.tsx'
import { ParameterForm } from '../../parameters/parameter-form.tsx'
import { ParameterSettings } from '../../parameters/parameter-settings.tsx'
import { isRunWith, readValues, searchOf, type Values, valuesToSend } from '../../parameters/values.ts'
import { paths } from '../../paths.ts'
import { Progress } from '../../results/progress.tsx'
import { useRuns } from '../../results/use-runs.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { ReferenceHead } from './reference-head.tsx'
import { ReferenceMenu } from './reference-menu.tsx'
import { ReferenceResult } from './reference-result.tsx'
import { SqlDetails } from './sql-details.tsx'
import { useEditReference } from './use-edit-reference.ts'

export function ReferenceView({ reference }: { reference: ReferenceInFull }) {
  useTitle(reference.title)
  const { parameters, shortId, currentQuery } = reference
  const edit = useEditReference(shortId)
  const { search } = useLocation()
  const [values, setValues] = useState(() => readValues(parameters, search))
  // Back, forward or another link to this page: take the values from the URL.
  const [lastSearch, setLastSearch] = useState(search)
  if (lastSearch !== search) {
    setLastSearch(search)
    setValues(readValues(parameters, search))
  }
  const [edited, setEdited] = useState<string>()
  const { runs, start, stop } = useRuns({
    queryId: currentQuery.id,
    choose: (completed) => completed.find((run) => isRunWith(run, parameters, values)) ?? completed[0],
  })
  const { active, shown, problem } = runs
  const address = (current: Values) => paths.permalink(shortId) + searchOf(parameters, current)
  // Not on every key, since browsers limit how often the URL may change. Not while the page is being left either, which also
  // blurs the field.
  const updateUrl = () => {
    if (window.location.pathname === paths.permalink(shortId)) navigate(address(values), { replace: true })
  }
  const run = () => {
    updateUrl()
    start(() => runReference(shortId, valuesToSend(parameters, values)), () => currentQuery.id)
  }
  const hasCurrentValues = shown !== null && isRunWith(shown, parameters, values)
  const isBusy = runs.isLoading || runs.isStarting || active !== null
  const editedAt = parameters.findIndex(({ name }) => name === edited)
  const editLink = paths.editReference(shortId) + searchOf(parameters, values)

  return (
    <article className="grid gap-4">
      <ReferenceHead
        reference={reference}
        actions={
          <>
            <CopyButton size="medium" text={window.location.origin + address(values)} label="Copy link" />
            <ButtonLink href={editLink} icon={<SquarePen />}>Edit SQL</ButtonLink>
            <ReferenceMenu reference={reference} />
          </>
        }
      />
      <ParameterForm
        parameters={parameters}
        values={values}
        onChange={setValues}
        onLeaveField={updateUrl}
        onSubmit={run}
        onEdit={setEdited}
      >
        <Button type="submit" kind="primary" icon={hasCurrentValues ? <RefreshCw /> : <Play />} disabled={isBusy}>
          {hasCurrentValues ? 'Refresh' : 'Run query'}
        </Button>
      </ParameterForm>
      {active && <Progress {...active} onStop={() => stop(active.run)} />}
      {problem && <Problem title={problem.title} message={problem.message} isVerbatim={problem.isVerbatim ?? false} />}
      {runs.isLoading && <Skeleton rows={4} />}
      {shown && !hasCurrentValues && !active && !runs.isStarting && (
        <Hint>These results use different values. Run to update.</Hint>
      )}
      {shown && <ReferenceResult key={shown.id} reference={reference} run={shown} />}
      {!shown && !active && !problem && !runs.isLoading && !runs.isStarting && (
        <EmptyState title="No results yet">
          <p>Run the query to see its results here.</p>
        </EmptyState>
      )}
      <SqlDetails query={currentQuery} run={shown} />
      {editedAt !== -1 && (
        <ParameterSettings
          key={edited}
          parameter={parameters[editedAt]!}
          faultPath={`/parameters/${editedAt}`}
          onSave={async (changed) => {
            await edit({ parameters: parameters.with(editedAt, changed) })
            setEdited(undefined)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </article>
  )
}
