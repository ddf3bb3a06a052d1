import type { AuditRecord } from '../../api/audit-log.ts'
import { Link } from '../../location.tsx'
import { Time } from '../../ui/time.tsx'
import { actionLabel, describeActor, describeSubject } from './labels.ts'

const cell = 'px-3 py-2.5 align-top'

/** The whole row links to the record. On narrow screens the person is shown below the action. */
export function RecordRow({ record, href }: { record: AuditRecord; href: string }) {
  const { action, actor, address, occurredAt } = record
  const { who, means } = describeActor(actor)
  return (
    <tr className="relative hover:bg-raised focus-within:bg-raised">
      <td className={cell}>
        <Link href={href} className="text-ink no-underline after:absolute after:inset-0">{actionLabel(action)}</Link>
        <span className="block truncate text-xs text-soft">{describeSubject(record)}</span>
        <span className="block truncate text-xs text-soft sm:hidden">{who}</span>
      </td>
      <td className={`${cell} hidden sm:table-cell`}>
        <span className="block truncate">{who}</span>
        {means !== null && <span className="block truncate text-xs text-soft">{means}</span>}
      </td>
      <td className={`${cell} hidden truncate text-xs text-soft lg:table-cell`}>
        {address === null ? <span className="sr-only">no request</span> : <code>{address}</code>}
      </td>
      <td className={`${cell} text-right text-xs text-soft`}><Time at={occurredAt} /></td>
    </tr>
  )
}
