import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { Automation } from '../../../api/automations.ts'
import { createReport, editReport, type Report, reportsKey } from '../../../api/reports.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import { type ReportDraft, toReport } from './report-draft.ts'
import { ReportFields } from './report-fields.tsx'

const formId = 'report-form'

/** Adds recipients to an automation, or changes what they get. */
export function ReportDialog(props: { automation: Automation; report?: Report; initial: ReportDraft; onClose(): void }) {
  const { automation, report, initial, onClose } = props
  const [draft, setDraft] = useState(initial)
  const [isPreviewing, setIsPreviewing] = useState(false)
  const saving = useAction()
  const client = useQueryClient()
  const toast = useToast()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.run(async () => {
      const saved = report ? await editReport(report, toReport(draft)) : await createReport(automation.id, toReport(draft))
      await client.invalidateQueries({ queryKey: reportsKey(automation.id) })
      if (saved.addresses.some(({ state }) => state === 'unconfirmed')) toast.show({ message: 'New addresses get an e-mail to confirm first.' })
      onClose()
    })
  }
  if (isPreviewing) return <PreviewDialog automationId={automation.id} report={toReport(draft)} onClose={() => setIsPreviewing(false)} />
  return (
    <Dialog
      title={report ? 'Edit recipients' : 'Add recipients'}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button kind="ghost" className="mr-auto" onClick={() => setIsPreviewing(true)}>Preview</Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isBusy}>{report ? 'Save changes' : 'Add recipients'}</Button>
        </>
      }
    >
      <form id={formId} className="grid gap-5" onSubmit={submit} noValidate>
        <ReportFields
          draft={draft}
          condition={automation.condition}
          error={saving.error}
          addresses={report?.addresses ?? []}
          onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
        />
      </form>
    </Dialog>
  )
}
