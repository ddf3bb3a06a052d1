import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Automation, type ModelBacktest, modelBacktestOptions, type ModelSummary } from '../../api/automations.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/inputs.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Hint } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { describeEstimate } from './describe-estimate.ts'
import { type PastDay, usePastSummaries, type Versions } from './use-past-summaries.ts'

type SavedAutomation = Pick<Automation, 'id' | 'instructions'>

/** The summaries that the model would have written over past results: first what they cost, then, on request, the summaries. */
export function ModelBacktestPanel(props: { automation: SavedAutomation; edited: string }) {
  const [isShown, setShown] = useState(false)
  if (!isShown) {
    return <Button className="justify-self-start" onClick={() => setShown(true)}>Preview past summaries</Button>
  }
  return (
    <section className="grid gap-3 border-t border-line pt-3" aria-label="Past summaries">
      <h3 className="font-medium">What it would have written</h3>
      <Offered {...props} />
    </section>
  )
}

function Offered({ automation, edited }: { automation: SavedAutomation; edited: string }) {
  const { data, error } = useQuery(modelBacktestOptions(automation.id))
  if (error) return <Hint kind="warning">{messageOf(error)}</Hint>
  if (!data) return <p className="text-soft">Reading past results…</p>
  if (data.times.length === 0) return <p className="text-soft">There are no kept results to summarize. They are kept from now on, each time a query runs.</p>
  return <Preview automation={automation} edited={edited} backtest={data} />
}

function Preview({ automation, edited, backtest }: { automation: SavedAutomation; edited: string; backtest: ModelBacktest }) {
  const [count, setCount] = useState(1)
  const [shown, setShown] = useState<Versions>([])
  const { days, isWriting, problem, write, cancel } = usePastSummaries(automation.id)
  const id = useId()
  const instructions = edited.trim()
  const isEdited = instructions !== '' && instructions !== automation.instructions
  const versions: Versions = [{ version: 'saved' }, ...(isEdited ? [{ version: 'edited' as const, instructions }] : [])]
  const start = () => {
    setShown(versions)
    void write(backtest.times.slice(0, count), versions)
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <label htmlFor={id}>Past runs:</label>
        <span className="w-32">
          <Select id={id} value={String(count)} disabled={isWriting} onChange={(event) => setCount(Number(event.target.value))}>
            {backtest.times.map((at, index) => <option key={at} value={index + 1}>{index === 0 ? 'the last one' : `the last ${index + 1}`}</option>)}
          </Select>
        </span>
        {isWriting ? (
          <Button size="small" onClick={cancel}>Cancel</Button>
        ) : (
          <Button size="small" onClick={start}>{count * versions.length === 1 ? 'Write 1 summary' : `Write ${count * versions.length} summaries`}</Button>
        )}
      </div>
      <p className="text-sm text-soft">
        {isEdited && 'Each run is summarized with the saved and with the edited instructions. '}
        {describeEstimate(backtest, count * versions.length)}
      </p>
      <ol className="grid gap-3">
        {days.map((day) => <Day key={day.at} day={day} versions={shown} isWriting={isWriting} />)}
      </ol>
      {problem !== undefined && <Hint kind="warning">{problem}</Hint>}
    </>
  )
}

const titles = { saved: 'Saved instructions', edited: 'Edited instructions' }

function Day({ day: { at, written }, versions, isWriting }: { day: PastDay; versions: Versions; isWriting: boolean }) {
  return (
    <li className="grid gap-2 rounded-lg border border-line bg-paper p-3 [overflow-wrap:anywhere]">
      <p className="text-xs text-soft"><Time at={at} /></p>
      <div className={versions.length > 1 ? 'grid gap-4 md:grid-cols-2' : 'grid gap-4'}>
        {versions.map(({ version }) => {
          const summary = written[version]
          return (
            <div key={version} className="grid content-start gap-2">
              {versions.length > 1 && <h4 className="text-xs font-medium text-soft">{titles[version]}</h4>}
              {summary ? <Written summary={summary} /> : <p className="text-soft">{isWriting ? 'Waiting for the model…' : 'Not written'}</p>}
            </div>
          )
        })}
      </div>
    </li>
  )
}

function Written({ summary: { summary, failureReason, unverifiedCount } }: { summary: ModelSummary }) {
  if (summary === null) return <Hint kind="warning">{failureReason}</Hint>
  return (
    <>
      <Markdown text={summary} origin={window.location.origin} />
      {unverifiedCount > 0 && (
        <p className="text-xs text-soft">{unverifiedCount === 1 ? '1 figure' : `${unverifiedCount} figures`} couldn’t be verified.</p>
      )}
    </>
  )
}
