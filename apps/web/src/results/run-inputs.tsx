import { useQuery } from '@tanstack/react-query'
import { type Run, type RunInFull, runOptions } from '../api/runs.ts'
import { showValue } from '../parameters/show-value.ts'
import { paths } from '../paths.ts'
import { Card } from '../ui/card.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { RelativeTime } from '../ui/time.tsx'

/** The results of saved queries that a run reads, each with its age. */
export function RunInputs({ inputs }: Pick<RunInFull, 'inputs'>) {
  if (inputs.length === 0) return null
  return (
    <Card title="Inputs">
      <ul className="grid gap-1" aria-label="Inputs">
        {inputs.map((input, at) => (
          <li key={at} className="flex flex-wrap gap-x-3">
            <TextLink href={paths.permalink(input.referenceShortId)}>{input.title}</TextLink>
            {Object.entries(input.parameterValues).map(([name, value]) => (
              <span key={name} className="text-soft">{name}: {showValue(value)}</span>
            ))}
            <Result input={input} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Result({ input: { status, runId, completedAt } }: { input: RunInFull['inputs'][number] }) {
  if (status === 'waiting') return <span className="text-soft">running</span>
  if (status === 'failed') return <TextLink href={paths.run(runId)}>failed</TextLink>
  // Old runs are removed.
  if (completedAt === null) return <span className="text-soft">result no longer stored</span>
  return <TextLink href={paths.run(runId)}>result from <RelativeTime at={completedAt} /></TextLink>
}

/** The same for a run that was loaded without its inputs. */
export function InputsOfRun({ run }: { run: Run }) {
  const mayHaveInputs = /\bref\s*\(/i.test(run.renderedSql)
  const { data } = useQuery({ ...runOptions(run.id), enabled: mayHaveInputs })
  return data ? <RunInputs inputs={data.inputs} /> : null
}
