import { CircleHelp, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Understanding } from './in-words.ts'
import { scheduleWords } from './schedule-words.ts'
import { conditionWords } from './words.ts'

/** What was understood of somebody's words, what was taken for granted, and what could not be read. */
export function UnderstandingView({ understanding }: { understanding: Understanding }) {
  const { instructions, references, schedule, condition, assumptions, notUnderstood } = understanding
  const title = references.find(({ shortId }) => shortId === condition?.reference)?.title
  return (
    <section aria-label="What was understood" className="grid gap-3 rounded-lg border border-line bg-paper p-4">
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[7rem_minmax(0,1fr)]">
        <Fact name="Runs">
          {condition && <span className="block">{conditionWords(conditionIn(condition), title ?? condition.reference)}</span>}
          {schedule && <span className="block">{scheduleWords(schedule)}</span>}
          {!condition && !schedule && 'When somebody asks'}
        </Fact>
        <Fact name="Looks at">{references.length === 0 ? '–' : references.map((reference) => reference.title).join(', ')}</Fact>
        <Fact name="Instructions">{instructions === '' ? '–' : instructions}</Fact>
      </dl>
      {notUnderstood.length > 0 && (
        <ul aria-label="Not understood" className="grid gap-1 text-warning">
          {notUnderstood.map((remark) => <Remark key={remark} icon={<CircleHelp />}>{remark}</Remark>)}
        </ul>
      )}
      {assumptions.length > 0 && (
        <ul aria-label="Taken for granted" className="grid gap-1 text-soft">
          {assumptions.map((remark) => <Remark key={remark} icon={<Info />}>{remark}</Remark>)}
        </ul>
      )}
    </section>
  )
}

const conditionIn = (condition: NonNullable<Understanding['condition']>) => ({ ...condition, everyTime: false })

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
