import { SquarePen } from 'lucide-react'
import { useState } from 'react'
import { type ReferenceInFull, runReference } from '../../api/references.ts'
import { CommentsButton } from '../../comments/comments-button.tsx'
import { ShareButton } from '../../sharing/share-button.tsx'
import { FavoriteButton } from '../../items/favorite-button.tsx'
import { useManagedUrl } from '../../items/managed-badge.tsx'
import { navigate } from '../../location.tsx'
import { ParameterSettings } from '../../parameters/parameter-settings.tsx'
import { missingValues } from '../../parameters/missing-values.ts'
import { describeRunRanges } from '../../parameters/describe-range.ts'
import { isChosen, isRunWith, readValues, searchOf, type Values, valuesToSend } from '../../parameters/values.ts'
import { paths } from '../../paths.ts'
import { Progress } from '../../results/progress.tsx'
import { InputsOfRun } from '../../results/run-inputs.tsx'
import { StoppedNotice } from '../../results/stopped-notice.tsx'
import { useRuns } from '../../results/use-runs.ts'
import { usePageAction } from '../../ui/page-actions.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import { useTitle } from '../../ui/use-title.ts'
import { FoldedControls, ReferenceControls } from './reference-controls.tsx'
import { ReferenceHead } from './reference-head.tsx'
import { ReferenceMenu } from './reference-menu.tsx'
import { type Formatting, ReferenceResult } from './reference-result.tsx'
import { SqlDetails } from './sql-details.tsx'
import { useEditReference } from './use-edit-reference.ts'
import { useLocation } from '../../use-location.ts'

/**
 * A reference with its result. On a phone the result comes first, the controls are folded into one row below it, and nothing
 * can be edited until the reader asks for it in the menu. A query that is managed in Git cannot be edited here.
 */
export function ReferenceView({ reference }: { reference: ReferenceInFull }) {
  useTitle(reference.title)
  const { parameters, shortId, currentQuery } = reference
  const edit = useEditReference(shortId)
  const isNarrow = useIsNarrow()
  const managedUrl = useManagedUrl('query', shortId)
  const isManaged = managedUrl !== undefined
  const { search } = useLocation()
  const [values, setValues] = useState(() => readValues(parameters, search))
  // Back, forward or another link to this page: take the values from the URL.
  const [lastSearch, setLastSearch] = useState(search)
  if (lastSearch !== search) {
    setLastSearch(search)
    setValues(readValues(parameters, search))
  }
  const [editedParameter, setEditedParameter] = useState<string>()
  const [isEditingDetails, setIsEditingDetails] = useState(false)
  const [isEditingChart, setIsEditingChart] = useState(false)
  const [formatting, setFormatting] = useState<Formatting | null>(null)
  const [isChecked, setIsChecked] = useState(false)
  const { runs, start, stop } = useRuns({
    queryId: currentQuery.id,
    choose: (completed) => completed.find((run) => isRunWith(run, parameters, values)) ?? completed[0],
  })
  const { active, shown, problem, stopped } = runs
  const url = (current: Values) => paths.permalink(shortId) + searchOf(parameters, current)
  // Not on every key, since browsers limit how often the URL may change. Not while the page is being left either, which also
  // blurs the field.
  const updateUrl = (current = values) => {
    if (window.location.pathname === paths.permalink(shortId)) navigate(url(current), { replace: true })
  }
  const changeValues = (changed: Values) => {
    setValues(changed)
    if (parameters.some((parameter) => isChosen(parameter) && changed[parameter.name] !== values[parameter.name])) updateUrl(changed)
  }
  const missing = missingValues(parameters, values)
  const run = () => {
    updateUrl()
    setIsChecked(true)
    if (Object.keys(missing).length > 0) return
    start(() => runReference(shortId, valuesToSend(parameters, values)), () => currentQuery.id)
  }
  const isRunBlocked = runs.isLoading || runs.isStarting || active !== null
  usePageAction('Run query', run, !isRunBlocked)
  const hasCurrentValues = shown !== null && isRunWith(shown, parameters, values)
  const ranges = shown ? describeRunRanges(shown, parameters) : ''
  const editedAt = parameters.findIndex(({ name }) => name === editedParameter)
  const editLink = paths.editReference(shortId) + searchOf(parameters, values)
  const link = window.location.origin + url(values)
  const isEditable = !isManaged && (!isNarrow || isEditingDetails)
  const controls = {
    parameters,
    values,
    faults: isChecked ? missing : {},
    isRefresh: hasCurrentValues,
    isBusy: isRunBlocked,
    onChange: changeValues,
    onLeaveField: () => updateUrl(),
    onRun: run,
    onEditParameter: isEditable ? setEditedParameter : undefined,
  }

  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ReferenceHead
        reference={reference}
        managedUrl={managedUrl}
        isEditable={isEditable}
        actions={
          !isNarrow && (
            <>
              <CopyButton size="medium" text={link} label="Copy link" />
              {!isManaged && <ButtonLink href={editLink} icon={<SquarePen />}>Edit SQL</ButtonLink>}
              <CommentsButton />
              <ShareButton item={{ kind: 'reference', ...reference }} />
              <FavoriteButton kind="reference" shortId={shortId} />
              <ReferenceMenu reference={reference} isManaged={isManaged} />
            </>
          )
        }
      />
      {!isNarrow && <ReferenceControls {...controls} />}
      {active && <Progress {...active} onStop={() => stop(active.run)} />}
      {problem && <Problem title={problem.title} message={problem.message} isVerbatim={problem.isVerbatim ?? false} />}
      {stopped && <StoppedNotice message={stopped.failureReason ?? 'Stopped.'} />}
      {runs.isLoading && <Skeleton rows={4} />}
      {shown && !hasCurrentValues && !active && !runs.isStarting && (
        <Hint>These results use different values. Run to update.</Hint>
      )}
      {ranges !== '' && <p className="text-sm text-soft">{ranges}</p>}
      {shown && (
        <ReferenceResult
          key={shown.id}
          reference={reference}
          run={shown}
          canEditChart={!isNarrow && !isManaged}
          isManaged={isManaged}
          isEditingChart={isEditingChart}
          onEditChart={setIsEditingChart}
          formatting={formatting}
          onFormat={setFormatting}
        />
      )}
      {!shown && !active && !problem && !stopped && !runs.isLoading && !runs.isStarting && (
        <EmptyState title="No results yet">
          <p>Run the query to see its results here.</p>
        </EmptyState>
      )}
      {isNarrow && (
        <FoldedControls
          {...controls}
          menu={
            <>
              <CommentsButton />
              <ShareButton item={{ kind: 'reference', ...reference }} />
              <FavoriteButton kind="reference" shortId={shortId} />
              <ReferenceMenu
                reference={reference}
                isManaged={isManaged}
                folded={{
                  link,
                  editLink,
                  isEditingDetails,
                  onEditDetails: setIsEditingDetails,
                  onEditChart: shown ? () => setIsEditingChart(true) : undefined,
                  onFormat: shown ? () => setFormatting({}) : undefined,
                }}
              />
            </>
          }
        />
      )}
      {shown && <InputsOfRun run={shown} />}
      <SqlDetails query={currentQuery} run={shown} />
      {editedAt !== -1 && (
        <ParameterSettings
          key={editedParameter}
          parameter={parameters[editedAt]!}
          others={parameters.toSpliced(editedAt, 1)}
          faultPath={`/parameters/${editedAt}`}
          onSave={async (changed) => {
            await edit({ parameters: parameters.with(editedAt, changed) })
            setEditedParameter(undefined)
          }}
          onClose={() => setEditedParameter(undefined)}
        />
      )}
    </article>
  )
}
