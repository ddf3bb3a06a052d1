import { CircleAlert, CircleHelp, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Condition } from '../../api/automations.ts'
import { alertOf } from './alert-draft.ts'
import type { ParsedDescription } from './parse-description.ts'
import { describeSchedule } from './describe-schedule.ts'
import { describeCondition } from './labels.ts'
import { DraftTargets } from './reports/draft-targets.tsx'

/** Shows how a description was parsed: the fields, the assumptions, and what could not be read. */
export function ParsedDescriptionView({ parsed }: { parsed: ParsedDescription }) {
  const { instructions, references, schedule, condition, reports, assumptions, notUnderstood, notPossible } = parsed
  const title = references.find(({ shortId }) => shortId === condition?.reference)?.title
  return (
    <section aria-label="How we read it" className="grid gap-3 rounded-lg border border-line bg-paper p-4">
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[7rem_minmax(0,1fr)]">
        <Fact name="Runs">
          {condition && <span className="block">{describeCondition(withDefaults(condition), title ?? condition.reference ?? 'a query')}</span>}
          {schedule && <span className="block">{describeSchedule(schedule)}</span>}
          {!condition && !schedule && 'Manually'}
        </Fact>
        <Fact name="Queries">{references.length === 0 ? '–' : references.map((reference) => reference.title).join(', ')}</Fact>
        {reports.length > 0 && <Fact name="Send to"><DraftTargets reports={reports} /></Fact>}
        <Fact name="Instructions">{instructions === '' ? '–' : instructions}</Fact>
      </dl>
      {notPossible.length > 0 && (
        <ul aria-label="Not possible" className="grid gap-1 text-warning">
          {notPossible.map((remark) => <Remark key={remark} icon={<CircleAlert />}>{remark}</Remark>)}
        </ul>
      )}
      {notUnderstood.length > 0 && (
        <ul aria-label="Not understood" className="grid gap-1 text-warning">
          {notUnderstood.map((remark) => <Remark key={remark} icon={<CircleHelp />}>{remark}</Remark>)}
        </ul>
      )}
      {assumptions.length > 0 && (
        <ul aria-label="Assumptions" className="grid gap-1 text-soft">
          {assumptions.map((remark) => <Remark key={remark} icon={<Info />}>{remark}</Remark>)}
        </ul>
      )}
    </section>
  )
}

const withDefaults = (condition: NonNullable<ParsedDescription['condition']>): Condition =>
  condition.kind === 'alert' ? alertOf({ ...condition, muteWindows: [] }) : { ...condition, everyTime: false }

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

function Remark({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      <span aria-hidden="true">{icon}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </li>
  )
}
