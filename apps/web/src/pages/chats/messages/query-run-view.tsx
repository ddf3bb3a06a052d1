import type { QueryRunStep } from '../../../api/chats.ts'
import { Link } from '../../../location.tsx'
import { paths } from '../../../paths.ts'
import { Status } from '../../../ui/status.tsx'
import { PreviewTable } from './preview-table.tsx'

const count = new Intl.NumberFormat()
const rows = (n: number) => `${count.format(n)} ${n === 1 ? 'row' : 'rows'}`

/** A query that the agent ran: one line, and behind it what it ran with and what it found. */
export function QueryRunView({ step }: { step: QueryRunStep }) {
  const { reference, runId, status, rowCount } = step
  const parameters = Object.entries(step.parameterValues)
  const isEmpty = step.sql === null && step.preview === null && parameters.length === 0
  const line = (
    <>
      <Status status={status} />
      <span className="title">{reference ? reference.title : 'SQL query'}</span>
      {status === 'completed' && rowCount !== null && <span className="soft">{rows(rowCount)}</span>}
    </>
  )
  return (
    <>
      <div className="step">
        {isEmpty ? (
          <p className="line">{line}</p>
        ) : (
          <details>
            <summary className="line">{line}</summary>
            {parameters.length > 0 && (
              <dl className="values">
                {parameters.map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{String(value)}</dd>
                  </div>
                ))}
              </dl>
            )}
            {step.preview && <PreviewTable preview={step.preview} rowCount={rowCount} />}
            {step.sql !== null && (
              <details className="sql-of-step">
                <summary>SQL</summary>
                <pre>{step.sql}</pre>
              </details>
            )}
          </details>
        )}
        <span className="links small">
          {reference && <Link href={paths.permalink(reference.shortId)}>Query</Link>}
          {runId !== null && <Link href={paths.run(runId)}>Run</Link>}
        </span>
      </div>
      {step.failureReason !== null && <pre className="reason">{step.failureReason}</pre>}
    </>
  )
}
