import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { type ReportDelivery, reportDeliveryOptions, reportsKey, resendReport } from '../../../api/reports.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Hint, Problem } from '../../../ui/notice.tsx'
import { RelativeTime, Time } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { deliveryStatus, describeOutcome } from './describe-report.ts'
import { RenderedView } from './rendered-view.tsx'

/** One delivery: every attempt with its outcome, and what was sent. */
export function DeliveryDialog({ id, automationId, onClose }: { id: string; automationId: string; onClose(): void }) {
  const query = useQuery(reportDeliveryOptions(id))
  const client = useQueryClient()
  const toast = useToast()
  const resending = useAction()
  const resend = () =>
    resending.run(async () => {
      await resendReport(id)
      toast.show({ message: 'Sending it again.' })
      await Promise.all([
        client.invalidateQueries({ queryKey: reportDeliveryOptions(id).queryKey }),
        client.invalidateQueries({ queryKey: reportsKey(automationId) }),
      ])
    })
  return (
    <Dialog
      title={query.data ? `To ${query.data.recipient}` : 'Delivery'}
      isSheet
      isOpen
      onOpenChange={onClose}
      footer={
        query.data && query.data.state !== 'due' && query.data.purpose !== 'confirmation' ? (
          <Button icon={<RotateCw />} isBusy={resending.isBusy} onClick={resend}>Send again</Button>
        ) : undefined
      }
    >
      <Loaded query={query}>
        {(delivery) => (
          <div className="grid gap-5">
            {resending.message !== undefined && <Problem message={resending.message} />}
            <Outcome delivery={delivery} />
            <Attempts delivery={delivery} />
            {delivery.rendered && <RenderedView rendered={delivery.rendered} />}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Outcome({ delivery }: { delivery: ReportDelivery }) {
  const { label, color } = deliveryStatus(delivery)
  const outcome = describeOutcome(delivery)
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <Badge color={color}>{label}</Badge>
        {delivery.purpose === 'test' && <Badge>Test</Badge>}
        <Time at={delivery.createdAt} />
      </p>
      {delivery.state === 'dropped' && outcome !== undefined && <Hint>{outcome}</Hint>}
    </div>
  )
}

const outcomes: Record<ReportDelivery['attempts'][number]['outcome'], string> = {
  sent: 'Accepted',
  refused_for_now: 'Failed, can be retried',
  refused_for_good: 'Rejected',
}

function Attempts({ delivery: { attempts, nextAttemptAt } }: { delivery: ReportDelivery }) {
  if (attempts.length === 0 && nextAttemptAt === null) return null
  return (
    <section className="grid gap-2" aria-label="Attempts">
      <h3 className="text-xs font-medium">Attempts</h3>
      <ol className="grid gap-2">
        {attempts.map(({ at, outcome, detail }, number) => (
          <li key={at} className="grid gap-x-3 sm:grid-cols-[auto_1fr]">
            <span><span className="font-medium">{number + 1}.</span> <Time at={at} /></span>
            <span className={outcome === 'sent' ? 'text-good' : 'text-danger'}>{outcomes[outcome]}</span>
            {detail !== null && <span className="text-soft [overflow-wrap:anywhere] sm:col-span-2">{detail}</span>}
          </li>
        ))}
        {nextAttemptAt !== null && <li className="text-soft">Next attempt <RelativeTime key={nextAttemptAt} at={nextAttemptAt} /></li>}
      </ol>
    </section>
  )
}
