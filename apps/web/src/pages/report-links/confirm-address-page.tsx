import { useMutation, useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { confirmAddress, reportLinkOptions } from '../../api/report-links.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { OpenedLink, tokenInUrl } from '../sign-in/opened-link.tsx'
import { LinkOutcome } from './link-outcome.tsx'
import { WrongLink } from './wrong-link.tsx'

/** `/reports/confirm#<token>`: the owner of an address agrees to get reports. For people without an account. */
export function ConfirmAddressPage() {
  useTitle('Confirm your address')
  const [token] = useState(tokenInUrl)
  const query = useQuery(reportLinkOptions(token))
  return (
    <OpenedLink query={query}>
      {(link) => (link.kind === 'confirm' ? <Confirmation token={token} link={link} /> : <WrongLink />)}
    </OpenedLink>
  )
}

function Confirmation({ token, link }: { token: string; link: { email: string; organizationName: string; state: string } }) {
  const { email, organizationName, state } = link
  const confirming = useMutation({ mutationFn: () => confirmAddress(token) })
  if (state === 'confirmed' || confirming.isSuccess) {
    return (
      <LinkOutcome icon={<MailCheck />} title="Address confirmed">
        {organizationName} can now send reports to <Address email={email} />. Every report has a link to unsubscribe.
      </LinkOutcome>
    )
  }
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h1>Get reports from {organizationName}?</h1>
        <p className="text-soft">
          Someone at {organizationName} wants to send reports to <Address email={email} />. If you don’t know why, close this page, and nothing is sent.
        </p>
      </div>
      <FormProblem error={confirming.error} fields={[]} />
      <Button kind="primary" isBusy={confirming.isPending} onClick={() => confirming.mutate()}>Confirm address</Button>
    </div>
  )
}

const Address = ({ email }: { email: string }) => <strong className="text-ink [overflow-wrap:anywhere]">{email}</strong>
