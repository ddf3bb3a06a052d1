import { Plus, X } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useDescribeDraft } from './draft-targets.tsx'
import { newReportDraft, type ReportDraft } from './report-draft.ts'
import { ReportFields } from './report-fields.tsx'

const formId = 'new-report'

/** Whom a new automation will tell. The reports are saved after it. */
export function NewReportsCard({ reports, onChange }: { reports: ReportDraft[]; onChange(reports: ReportDraft[]): void }) {
  const [isAdding, setIsAdding] = useState(false)
  const describe = useDescribeDraft()
  return (
    <Card title="Send to" actions={<Button size="small" icon={<Plus />} onClick={() => setIsAdding(true)}>Add recipients</Button>}>
      {reports.length === 0 ? (
        <p className="text-soft">Nobody. Everyone in your organization can open the report at its link.</p>
      ) : (
        <ul className="grid gap-1.5" aria-label="Send to">
          {reports.map((report, at) => {
            const { target, content } = describe(report)
            return (
              <li key={at} className="flex items-center gap-2 rounded-md bg-accent-wash py-0.5 pr-0.5 pl-2.5">
                <span className="mr-auto min-w-0 [overflow-wrap:anywhere]">{target} <span className="text-soft">{content}</span></span>
                <IconButton label={`Remove ${target}`} icon={<X />} className="size-7" onClick={() => onChange(reports.filter((_, other) => other !== at))} />
              </li>
            )
          })}
        </ul>
      )}
      {isAdding && <NewReportDialog onAdd={(report) => onChange([...reports, report])} onClose={() => setIsAdding(false)} />}
    </Card>
  )
}

function NewReportDialog({ onAdd, onClose }: { onAdd(report: ReportDraft): void; onClose(): void }) {
  const [draft, setDraft] = useState<ReportDraft>(newReportDraft)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // The form of the automation is around this one.
    event.stopPropagation()
    onAdd(draft)
    onClose()
  }
  return (
    <Dialog
      title="Add recipients"
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId}>Add recipients</Button>
        </>
      }
    >
      <form id={formId} className="grid gap-5" onSubmit={submit} noValidate>
        <ReportFields draft={draft} condition={null} error={undefined} addresses={[]} onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))} />
      </form>
    </Dialog>
  )
}
