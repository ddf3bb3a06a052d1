import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type NewReport, previewOptions, type ReportPreview } from '../../../api/reports.ts'
import { messageOf } from '../../../api/request.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/inputs.tsx'
import { Hint, Problem } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { showValue } from '../../../parameters/show-value.ts'
import { whyNotSent } from './describe-report.ts'
import { RenderedView } from './rendered-view.tsx'

/** What each recipient gets, from the newest results. Nothing is sent. */
export function PreviewDialog({ automationId, report, onClose }: { automationId: string; report: NewReport; onClose(): void }) {
  const [place, setPlace] = useState(0)
  const query = useQuery({ ...previewOptions(automationId, report, place), placeholderData: keepPreviousData })
  return (
    <Dialog title="Preview" description="From the newest results. Nothing is sent." width="wide" isOpen onOpenChange={onClose}>
      <div className="grid gap-4">
        {query.data?.recipientCount === 0 && report.target.kind === 'email' && (
          <Hint kind="warning">Nobody gets this report now: it goes to groups without members, or to people who left.</Hint>
        )}
        {query.data && <Recipients preview={query.data} place={place} onChange={setPlace} />}
        {query.isError && <Problem title="Couldn’t make the preview" message={messageOf(query.error)} onRetry={() => void query.refetch()} />}
        {query.isPending && <Skeleton rows={6} />}
        {query.data && !query.isError && (
          <div className={query.isPlaceholderData ? 'opacity-60' : ''}><RenderedView rendered={query.data.rendered} /></div>
        )}
      </div>
    </Dialog>
  )
}

function Recipients({ preview, place, onChange }: { preview: ReportPreview; place: number; onChange(place: number): void }) {
  const { recipients, recipientCount } = preview
  const chosen = recipients[place]
  if (!chosen) return null
  return (
    <div className="grid gap-2">
      <Field label={recipientCount === 1 ? '1 recipient' : `${recipientCount} recipients`}>
        <Select value={place} onChange={({ target }) => onChange(Number(target.value))}>
          {recipients.map(({ email, values }, at) => (
            <option key={at} value={at}>{email}{values && ` (${Object.values(values).map((value) => showValue(value)).join(', ')})`}</option>
          ))}
        </Select>
      </Field>
      {chosen.dropReason !== null && <Hint kind="warning">Nothing is sent to {chosen.email} yet. {whyNotSent(chosen.dropReason)}</Hint>}
    </div>
  )
}
