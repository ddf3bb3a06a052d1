import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MailX } from 'lucide-react'
import { type ReportLink, reportLinkOptions, resubscribe, unsubscribe } from '../../api/report-links.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { OpenedLink } from '../sign-in/opened-link.tsx'
import { LinkOutcome } from './link-outcome.tsx'
import { WrongLink } from './wrong-link.tsx'

/**
 * `/reports/unsubscribe/:token`: ends a report for one address, without an account. It asks first, because mail scanners open links; mail
 * programs send a POST to the same address.
 */
export function UnsubscribePage({ token }: { token: string }) {
  useTitle('Unsubscribe')
  const query = useQuery(reportLinkOptions(token))
  return (
    <OpenedLink query={query}>
      {(link) => (link.kind === 'unsubscribe' ? <Subscription token={token} link={link} /> : <WrongLink />)}
    </OpenedLink>
  )
}

function Subscription({ token, link }: { token: string; link: ReportLink & { kind: 'unsubscribe' } }) {
  const { email, organizationName, reportName, isUnsubscribed } = link
  const client = useQueryClient()
  const switching = useMutation({
    mutationFn: () => (isUnsubscribed ? resubscribe(token) : unsubscribe(token)),
    onSuccess: () => client.setQueryData(reportLinkOptions(token).queryKey, (): ReportLink => ({ ...link, isUnsubscribed: !isUnsubscribed })),
  })
  const address = <strong className="text-ink [overflow-wrap:anywhere]">{email}</strong>
  if (isUnsubscribed) {
    return (
      <LinkOutcome
        icon={<MailX />}
        title="Unsubscribed"
        action={
          <>
            <FormProblem error={switching.error} fields={[]} />
            <Button className="justify-self-start" isBusy={switching.isPending} onClick={() => switching.mutate()}>Subscribe again</Button>
          </>
        }
      >
        “{reportName}” is no longer sent to {address}.
      </LinkOutcome>
    )
  }
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h1>Unsubscribe?</h1>
        <p className="text-soft">{address} gets “{reportName}” from {organizationName}.</p>
      </div>
      <FormProblem error={switching.error} fields={[]} />
      <Button kind="primary" isBusy={switching.isPending} onClick={() => switching.mutate()}>Unsubscribe</Button>
    </div>
  )
}
