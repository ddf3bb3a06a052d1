import { useState } from 'react'
import type { ReferenceInFull } from '../../api/references.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Hint, Loading, Problem } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { ParameterForm } from './parameter-form.tsx'
import { Progress } from './progress.tsx'
import { Result } from './result.tsx'
import { SqlDetails } from './sql-details.tsx'
import { useRuns } from './use-runs.ts'
import { isRunWith, readValues, searchOf, type Values } from './values.ts'

export function ReferenceView({ reference }: { reference: ReferenceInFull }) {
  useTitle(reference.title)
  const { parameters, shortId, isOptimistic } = reference
  const [values, setValues] = useState(() => readValues(parameters, window.location.search))
  const { runs, start, stop } = useRuns(reference, values)
  const { active, shown, problem } = runs
  const address = (current: Values) => paths.permalink(shortId) + searchOf(parameters, current)
  // Not on every key: browsers bound how often an address may change. Not while the page is being left either, which also
  // takes the focus from a field.
  const keepInAddress = () => {
    if (window.location.pathname === paths.permalink(shortId)) navigate(address(values), { replace: true })
  }
  const isOfTheseValues = shown !== null && isRunWith(shown, parameters, values)

  return (
    <article className="reference">
      <header className="page-head">
        <div className="title-row">
          <h1>{reference.title}</h1>
          <CopyButton text={window.location.origin + address(values)} label="Copy link" />
        </div>
        {reference.description !== null && <p className="description">{reference.description}</p>}
        <p className="soft small">
          Updated <Time at={reference.updatedAt} />
        </p>
      </header>
      {isOptimistic ? (
        <Hint>This permalink is reserved; its query is still being written. Come back in a moment.</Hint>
      ) : (
        <ParameterForm
          parameters={parameters}
          values={values}
          runLabel={isOfTheseValues ? 'Refresh' : 'Run'}
          isBusy={runs.isLoading || runs.isStarting || active !== null}
          onChange={setValues}
          onLeaveField={keepInAddress}
          onRun={() => {
            keepInAddress()
            start(values)
          }}
        />
      )}
      {active && <Progress {...active} onStop={() => stop(active.run)} />}
      {problem && <Problem {...problem} />}
      {runs.isLoading && <Loading />}
      {shown && !isOfTheseValues && !active && !runs.isStarting && (
        <Hint>This result was made with other values than those above. Run the query to see yours.</Hint>
      )}
      {shown && (
        <Result key={shown.id} run={shown} fileName={`${shortId}.json`} isNumber={reference.visualization?.type === 'number'} />
      )}
      {!shown && !active && !problem && !runs.isLoading && !runs.isStarting && !isOptimistic && (
        <section className="empty">
          <h2>No result yet</h2>
          <p>Nobody has run this query. Press Run to see its rows.</p>
        </section>
      )}
      {!isOptimistic && <SqlDetails sql={reference.currentQuery.sql} run={shown} />}
    </article>
  )
}
