import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChangeBreakdown, type ComparedRuns, type ExplainedChange, type ExplainedStep, whyOptions } from '../../../api/result-history.ts'
import { Compared } from '../../../versions/changes.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/inputs.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Time } from '../../../ui/time.tsx'
import { grouped, signed, textOfValue } from './describe-comparison.ts'

/** Explains a difference once somebody asks for it. */
export function WhyChanged({ shortId, compared }: { shortId: string; compared: ComparedRuns }) {
  const [isAsked, setIsAsked] = useState(false)
  if (isAsked) return <Explanation shortId={shortId} compared={compared} />
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-soft">Split the difference into what the SQL, the parameters and the data contribute. All parts add up exactly.</p>
      <Button kind="primary" onClick={() => setIsAsked(true)}>Explain the difference</Button>
    </div>
  )
}

interface MeasureChoice {
  measure?: string
  denominator?: string
}

function Explanation({ shortId, compared }: { shortId: string; compared: ComparedRuns }) {
  const [choice, setChoice] = useState<MeasureChoice>({})
  const first = useQuery(whyOptions(shortId, compared))
  const chosen = useQuery(whyOptions(shortId, { ...compared, ...choice }))
  return (
    <Loaded query={first}>
      {({ numberColumns }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {numberColumns.length > 0 && <ChooseMeasure columns={numberColumns} choice={choice} onChoose={setChoice} />}
          <Loaded query={chosen}>{(found) => <Explained explained={found} />}</Loaded>
        </div>
      )}
    </Loaded>
  )
}

/** Chooses a column, and another one to divide it by. */
function ChooseMeasure(props: { columns: string[]; choice: MeasureChoice; onChoose(choice: MeasureChoice): void }) {
  const { columns, choice, onChoose } = props
  const { measure, denominator } = choice
  const options = columns.map((name) => <option key={name} value={name}>{name}</option>)
  return (
    <div className="grid gap-3 sm:max-w-xl sm:grid-cols-2">
      <Field label="Explain">
        <Select value={measure ?? ''} onChange={({ currentTarget: { value } }) => onChoose(value === '' ? {} : { ...choice, measure: value })}>
          <option value="">All columns that add up</option>
          {options}
        </Select>
      </Field>
      {measure !== undefined && (
        <Field label="Divided by">
          <Select value={denominator ?? ''} onChange={({ currentTarget: { value } }) => onChoose({ measure, ...(value !== '' && { denominator: value }) })}>
            <option value="">Nothing</option>
            {options}
          </Select>
        </Field>
      )}
    </div>
  )
}

const nameOf = ({ column, denominator }: { column: string; denominator: string | null }) => (denominator === null ? column : `${column} / ${denominator}`)

function Explained({ explained }: { explained: ExplainedChange }) {
  const { sql, parameters, measures, steps } = explained
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {sql && <Compared heading="SQL" before={sql.before ?? ''} after={sql.after ?? ''} />}
      {parameters.map(({ name, before, after }) => (
        <p key={name} className="[overflow-wrap:anywhere]">Parameter “{name}” changed from {textOfValue(before)} to {textOfValue(after)}.</p>
      ))}
      {measures.length === 0 && <p>No column of both results can be added up, so there is nothing to explain.</p>}
      {measures.map((measure) => (
        <section key={measure.column} className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label={`Why ${nameOf(measure)} changed`}>
          <h3 className="font-medium [overflow-wrap:anywhere]">
            {nameOf(measure)}: {grouped(measure.before)} → {grouped(measure.after)} <span className="tabular-nums">({signed(measure.difference)})</span>
          </h3>
          <ul className="grid gap-1 text-sm">
            {measure.parts.map(({ causes, difference }) => (
              <li key={causes.join()}>{describeCauses(causes)}: <span className="tabular-nums">{signed(difference)}</span></li>
            ))}
          </ul>
          {steps.map((step) => <Step key={step.from.runId} step={step} column={measure.column} />)}
        </section>
      ))}
    </div>
  )
}

const causeNames = { sql: 'SQL', parameters: 'Parameters', data: 'Data' }

function describeCauses(causes: ExplainedStep['causes']): string {
  const [first, ...others] = causes.map((cause) => causeNames[cause])
  const names = [first, ...others.map((name) => name.toLowerCase())].join(' and ')
  return causes.length === 1 ? names : `${names}, which can’t be separated with the results that are kept`
}

function Step({ step, column }: { step: ExplainedStep; column: string }) {
  const change = step.measures.find((each) => each.column === column)
  if (!change || (change.difference === '0' && step.added + step.removed + step.changed === 0)) return null
  const { rows, effects } = change
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-l-2 border-line pl-3">
      <p className="text-sm text-soft">
        From <Time at={step.from.at} /> to <Time at={step.to.at} />: added rows {signed(rows.added)}, removed rows {signed(rows.removed)}, changed rows{' '}
        {signed(rows.changed)}
      </p>
      {effects && (
        <p className="text-sm text-soft">
          {change.column} contributes {signed(effects.numerator)}, {change.denominator} {signed(effects.denominator)}
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {change.breakdowns.filter(({ contributions }) => contributions.length > 0).map((breakdown) => (
          <Contributions key={`${breakdown.isKey} ${breakdown.columns.join()}`} breakdown={breakdown} />
        ))}
      </div>
    </div>
  )
}

function Contributions({ breakdown: { columns, contributions, rest } }: { breakdown: ChangeBreakdown }) {
  const name = columns.join(', ')
  return (
    <table className="h-fit w-full table-fixed text-sm" aria-label={`By ${name}`}>
      <thead>
        <tr className="border-b border-line text-xs text-soft">
          <th scope="col" className="py-1 text-left font-medium [overflow-wrap:anywhere]">{name}</th>
          <th scope="col" className="py-1 text-right font-medium">Difference</th>
        </tr>
      </thead>
      <tbody>
        {contributions.map(({ values, difference }, at) => (
          <tr key={at}>
            <td className="py-0.5 pr-2 [overflow-wrap:anywhere]">{values.map(textOfValue).join(' · ')}</td>
            <td className="py-0.5 text-right tabular-nums [overflow-wrap:anywhere]">{signed(difference)}</td>
          </tr>
        ))}
        {rest.count > 0 && (
          <tr className="text-soft">
            <td className="py-0.5 pr-2">Everything else ({rest.count})</td>
            <td className="py-0.5 text-right tabular-nums [overflow-wrap:anywhere]">{signed(rest.difference)}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
