import type { ReactNode } from 'react'
import type { Automation } from '../../api/automations.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { titleOf, useReferences } from './use-references.ts'
import { agentWords, conditionWords, scheduleWords } from './words.ts'

/** What an automation does, and when. */
export function AutomationFacts({ automation }: { automation: Automation }) {
  const references = useReferences()
  const { schedule, condition, conditionState, nextDueAt } = automation
  const link = (shortId: string) => <Link href={paths.permalink(shortId)}>{titleOf(references, shortId)}</Link>
  return (
    <dl className="card facts-list">
      <Fact name="Instructions"><p className="as-written">{automation.instructions}</p></Fact>
      <Fact name="Queries">
        {automation.references.length === 0 ? (
          <p className="soft">None</p>
        ) : (
          <ul>{automation.references.map((shortId) => <li key={shortId}>{link(shortId)}</li>)}</ul>
        )}
      </Fact>
      <Fact name="Runs">
        {condition && <p>{conditionWords(condition, titleOf(references, condition.reference))}</p>}
        {condition && schedule && <p>A new result is asked for: {scheduleWords(schedule)}</p>}
        {!condition && schedule && <p>{scheduleWords(schedule)}</p>}
        {!condition && !schedule && <p>When somebody asks</p>}
        {nextDueAt !== null && <p className="soft">Next: <Time at={nextDueAt} /></p>}
        {conditionState && (
          <p className="soft">
            Last looked <Time at={conditionState.judgedAt} />: {conditionState.finding}
          </p>
        )}
      </Fact>
      <Fact name="Agent"><p>{agentWords[automation.agent]}</p></Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
