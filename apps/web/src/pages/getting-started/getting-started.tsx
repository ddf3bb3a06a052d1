import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, X } from 'lucide-react'
import { useState } from 'react'
import { listAutomations } from '../../api/automations.ts'
import { newestChatsOptions } from '../../api/chats.ts'
import { databasesOptions } from '../../api/databases.ts'
import { invitationsOptions } from '../../api/invitations.ts'
import { membersOptions } from '../../api/members.ts'
import { modelSettingsOptions } from '../../api/model-settings.ts'
import { listReferences } from '../../api/references.ts'
import { useIsAdmin } from '../../api/session.ts'
import { endpointsOptions } from '../../api/webhook-endpoints.ts'
import { Card } from '../../ui/card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { hasOwnQuery } from './has-own-query.ts'
import { type Progress, type Step, stepsOf } from './steps.ts'

const dismissedKey = 'querypost-getting-started-dismissed'

/** First steps for admins; hidden once all are done, or dismissed in this browser. */
export function GettingStarted() {
  const isAdmin = useIsAdmin()
  const [isDismissed, setIsDismissed] = useState(() => readDismissed() !== null)
  if (!isAdmin || isDismissed) return null
  return (
    <Steps
      onDismiss={() => {
        storeDismissed()
        setIsDismissed(true)
      }}
    />
  )
}

function Steps({ onDismiss }: { onDismiss(): void }) {
  const progress = useProgress()
  const steps = progress && stepsOf(progress)
  if (!steps || steps.every(({ isDone }) => isDone)) return null
  return (
    <Card
      title="Getting started"
      actions={<IconButton label="Dismiss getting started" icon={<X />} onClick={onDismiss} />}
    >
      <ol className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
        {steps.map((step) => <StepView key={step.title} step={step} />)}
      </ol>
    </Card>
  )
}

function StepView({ step }: { step: Step }) {
  return (
    <li className="flex gap-2.5">
      {step.isDone ? (
        <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-label="Done" />
      ) : (
        <CircleDashed className="mt-0.5 size-4 shrink-0 text-soft" aria-label="To do" />
      )}
      <div className="grid content-start gap-0.5">
        <p className="font-medium">{step.title}</p>
        <p className="hidden text-soft sm:block">{step.text}</p>
        <p>
          <TextLink href={step.href}>{step.linkLabel}</TextLink>
        </p>
      </div>
    </li>
  )
}

/**
 * Undefined until everything has loaded, so that the card does not flash and disappear. Steps that cannot be checked, such as
 * webhooks while they are switched off, count as not done.
 */
function useProgress(): Progress | undefined {
  const automations = useQuery({
    queryKey: ['automations', 'started'],
    queryFn: ({ signal }) => listAutomations({ limit: 20, signal }),
  })
  const endpoints = useQuery({ ...endpointsOptions, refetchInterval: false })
  const members = useQuery(membersOptions)
  const invitations = useQuery(invitationsOptions)
  const databases = useQuery(databasesOptions())
  const references = useQuery({
    queryKey: ['references', 'newest'],
    queryFn: ({ signal }) => listReferences({ limit: 20, signal }),
  })
  const model = useQuery(modelSettingsOptions)
  const chats = useQuery(newestChatsOptions(20))
  const all = [automations, endpoints, members, invitations, databases, references, model, chats]
  if (all.some(({ isPending }) => isPending)) return undefined
  return {
    hasModel: model.data !== undefined && model.data !== null,
    hasAsked: chats.data?.some(({ startedBy }) => startedBy !== null) ?? false,
    hasOwnQuery: hasOwnQuery(references.data?.items ?? [], databases.data ?? []),
    hasRunAutomation: automations.data?.items.some(({ latestRun }) => latestRun !== null) ?? false,
    hasEndpoint: (endpoints.data?.length ?? 0) > 0,
    hasDelivered: endpoints.data?.some(({ health }) => health.delivered > 0) ?? false,
    hasInvited: (members.data?.length ?? 0) > 1 || (invitations.data?.length ?? 0) > 0,
  }
}

function readDismissed(): string | null {
  try {
    return localStorage.getItem(dismissedKey)
  } catch {
    return null
  }
}

function storeDismissed(): void {
  try {
    localStorage.setItem(dismissedKey, 'yes')
  } catch {
    // Without storage, the card comes back on the next visit.
  }
}
