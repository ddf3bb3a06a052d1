import type { AuditRecord } from '../../api/audit-log.ts'
import { Link } from '../../location.tsx'
import { Time } from '../../ui/time.tsx'
import { actionWords, actorWords, subjectWords } from './words.ts'

const cell = 'px-3 py-2.5 align-top'

/** All of the row leads to the record. Where there is no room for columns, who it was stands below what was done. */
export function RecordRow({ record, href }: { record: AuditRecord; href: string }) {
  const { action, actor, address, occurredAt } = record
  const { who, means } = actorWords(actor)
  return (
    <tr className="relative hover:bg-raised focus-within:bg-raised">
      <td className={cell}>
        <Link href={href} className="text-ink no-underline after:absolute after:inset-0">{actionWords(action)}</Link>
        <span className="block truncate text-xs text-soft">{subjectWords(record)}</span>
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
