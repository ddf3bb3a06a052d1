import type { AuditRecord } from '../../api/audit-log.ts'
import { fieldLabel, formatValue } from './labels.ts'

/** The changed fields, before and after, and other details. */
export function RecordDetails({ details }: { details: AuditRecord['details'] }) {
  const { changes, ...rest } = details
  const others = Object.entries(rest)
  return (
    <>
      {changes && Object.keys(changes).length > 0 && <Changes changes={changes} />}
      {others.length > 0 && (
        <section className="grid gap-2" aria-label="Details">
          <h3>Details</h3>
          <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 [&_dt]:text-soft">
            {others.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="[overflow-wrap:anywhere]">{fieldLabel(name)}</dt>
                <dd className="min-w-0"><Value value={value} /></dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

const head = 'px-3 py-1.5 text-left text-xs font-medium text-soft'

function Changes({ changes }: { changes: NonNullable<AuditRecord['details']['changes']> }) {
  return (
    <section className="grid gap-2" aria-label="Changes">
      <h3>Changes</h3>
      <div className="overflow-hidden rounded-lg border border-line">
        <table className="w-full table-fixed border-collapse">
          <thead className="border-b border-line">
            <tr>
              <th scope="col" className={`${head} w-28`}>Field</th>
              <th scope="col" className={head}>Before</th>
              <th scope="col" className={head}>After</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {Object.entries(changes).map(([field, { before, after }]) => (
              <tr key={field} className="align-top">
                <th scope="row" className="px-3 py-2 text-left font-normal [overflow-wrap:anywhere]">{fieldLabel(field)}</th>
                <td className="px-3 py-2 text-soft"><Value value={before} /></td>
                <td className="px-3 py-2"><Value value={after} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Value({ value }: { value: unknown }) {
  const text = formatValue(value)
  if (!text.includes('\n')) return <span className="[overflow-wrap:anywhere]">{text}</span>
  return <pre className="font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</pre>
}
