import type { ReactNode } from 'react'
import type { Automation } from '../../api/automations.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { titleOf } from './find-references.ts'
import { describeSchedule } from './describe-schedule.ts'
import { useReferences } from './use-references.ts'
import { agentLabels, describeCondition } from './labels.ts'

/** The settings of an automation: what it does, and when. */
export function AutomationFacts({ automation }: { automation: Automation }) {
  const { data: references } = useReferences()
  return (
    <Card>
      <dl className="divide-y divide-line">
        <Fact name="Instructions"><p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{automation.instructions}</p></Fact>
        <Fact name="Queries">
          {automation.references.length === 0 ? (
            <p className="text-soft">None</p>
          ) : (
            <ul>
              {automation.references.map((shortId) => (
                <li key={shortId}><TextLink href={paths.permalink(shortId)}>{titleOf(references, shortId)}</TextLink></li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact name="Runs"><WhenItRuns automation={automation} titleOf={(shortId) => titleOf(references, shortId)} /></Fact>
        <Fact name="Agent"><p>{agentLabels[automation.agent]}</p></Fact>
      </dl>
    </Card>
  )
}

function WhenItRuns({ automation, titleOf: title }: { automation: Automation; titleOf(shortId: string): string }) {
  const { schedule, condition, conditionState, nextDueAt } = automation
  return (
    <>
      {condition && <p>{describeCondition(condition, title(condition.reference))}</p>}
      {condition && schedule && <p>Result refreshed: {describeSchedule(schedule)}</p>}
      {!condition && schedule && <p>{describeSchedule(schedule)}</p>}
      {!condition && !schedule && <p>Manually</p>}
      {nextDueAt !== null && <p className="text-soft">Next: <Time at={nextDueAt} /></p>}
      {conditionState && (
        <p className="text-soft">Last checked <Time at={conditionState.judgedAt} />: {conditionState.finding}</p>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 px-4 py-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="text-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
