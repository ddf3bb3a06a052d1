import type { QueryRunStep } from '../../../api/chats.ts'
import { showValue } from '../../../parameters/show-value.ts'
import { paths } from '../../../paths.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { PreviewTable } from './preview-table.tsx'
import { Step } from './step.tsx'

const count = new Intl.NumberFormat()
const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const rows = (n: number) => `${count.format(n)} ${n === 1 ? 'row' : 'rows'}`

/** A query run by the agent: one line that expands to its parameters, rows and SQL. */
export function QueryRunView({ step, isStopped }: { step: QueryRunStep; isStopped: boolean }) {
  const { reference, runId, status, rowCount, failureReason } = step
  const isEmpty = step.sql === null && step.preview === null && Object.keys(step.parameterValues).length === 0
  return (
    <>
      <Step
        status={status}
        isStopped={isStopped}
        title={reference ? reference.title : 'SQL query'}
        {...(status === 'completed' && rowCount !== null && { remark: `${rows(rowCount)}, ${timeOfDay.format(new Date(step.createdAt))}` })}
        links={
          <>
            {reference && <TextLink href={paths.permalink(reference.shortId)}>Query</TextLink>}
            {runId !== null && <TextLink href={paths.run(runId)}>Run</TextLink>}
          </>
        }
      >
        {isEmpty ? undefined : <Details step={step} />}
      </Step>
      {failureReason !== null && !isStopped && (
        <pre
          data-part="reason"
          className="mt-1.5 rounded-md bg-danger-wash px-3 py-2 font-mono text-xs whitespace-pre-wrap text-danger [overflow-wrap:anywhere]"
        >
          {failureReason}
        </pre>
      )}
    </>
  )
}

function Details({ step }: { step: QueryRunStep }) {
  const parameters = Object.entries(step.parameterValues)
  return (
    <>
      {parameters.length > 0 && (
        <dl className="flex flex-wrap gap-x-5 gap-y-1">
          {parameters.map(([name, value]) => (
            <div key={name} className="flex gap-1.5">
              <dt className="text-soft">{name}</dt>
              <dd className="[overflow-wrap:anywhere]">{showValue(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {step.preview && <PreviewTable preview={step.preview} columns={step.columns} rowCount={step.rowCount} />}
      {step.sql !== null && (
        <details>
          <summary className="w-fit text-soft">SQL</summary>
          <div className="mt-2"><CodeBlock text={step.sql} label="SQL" /></div>
        </details>
      )}
    </>
  )
}
