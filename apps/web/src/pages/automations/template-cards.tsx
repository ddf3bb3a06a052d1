import { CalendarDays, Diff, FileText, Gauge, Hourglass, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { templates } from './templates.ts'

const icons: Record<string, ReactNode> = {
  'weekly-report': <FileText />,
  'daily-digest': <CalendarDays />,
  'watch-a-number': <Gauge />,
  'data-freshness': <Hourglass />,
  'what-changed': <Diff />,
}

export function TemplateCards() {
  return (
    <section aria-labelledby="templates" className="grid gap-3">
      <h2 id="templates">Start from a template</h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {templates.map(({ id, name, description }) => (
          <StartCard key={id} template={id} name={name} description={description} icon={icons[id]} />
        ))}
        <StartCard template="none" name="Start from scratch" description="Set everything up yourself." icon={<SquarePen />} />
      </ul>
    </section>
  )
}

const card =
  'relative grid content-start grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-lg border border-line bg-surface p-4 ' +
  'hover:border-line-strong hover:bg-raised'

function StartCard(props: { template: string; name: string; description: string; icon: ReactNode }) {
  return (
    <li className={card}>
      <span className="mt-0.5 text-accent [&_svg]:size-4.5" aria-hidden="true">{props.icon}</span>
      <Link
        href={paths.newAutomationFrom({ template: props.template })}
        className="font-medium text-ink no-underline after:absolute after:inset-0 after:rounded-lg"
      >
        {props.name}
      </Link>
      <p className="col-start-2 text-soft">{props.description}</p>
    </li>
  )
}
