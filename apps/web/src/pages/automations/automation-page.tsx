import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Automation, automationOptions, automationsKey, editAutomation } from '../../api/automations.ts'
import { ManagedBadge, useManagedUrl } from '../../items/managed-badge.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AlertBadge } from './alert-badge.tsx'
import { AlertCard } from './alert-card.tsx'
import { AutomationActions } from './automation-actions.tsx'
import { AutomationFacts } from './automation-facts.tsx'
import { AutomationForm } from './automation-form.tsx'
import { toAutomationContent, toDraft } from './draft.ts'
import { DeliveriesCard } from './reports/deliveries-card.tsx'
import { SendToCard } from './reports/send-to-card.tsx'
import { RunViaApi } from './run-via-api.tsx'
import { RunHistory } from './run-history.tsx'
import { CurrentRun } from './current-run.tsx'
import { browserTimeZone } from './time-zone.ts'

/** `/automations/:id` */
export function AutomationPage({ id }: { id: string }) {
  const query = useQuery(automationOptions(id))
  return <Loaded query={query}>{(automation) => <AutomationView automation={automation} />}</Loaded>
}

function AutomationView({ automation }: { automation: Automation }) {
  const { id, name, enabled } = automation
  useTitle(name)
  const client = useQueryClient()
  const [isEditing, setIsEditing] = useState(false)
  const managedUrl = useManagedUrl('automation', id)
  const above = <TextLink href={paths.automations}>All automations</TextLink>
  if (isEditing) {
    return (
      <>
        <PageHead title={name} above={above} />
        <AutomationForm
          initial={toDraft(automation, browserTimeZone)}
          saveLabel="Save changes"
          saved={automation}
          savedCondition={toAutomationContent(toDraft(automation, browserTimeZone)).condition}
          onSave={async (draft) => {
            client.setQueryData(automationOptions(id).queryKey, await editAutomation(id, toAutomationContent(draft)))
            void client.invalidateQueries({ queryKey: automationsKey })
            setIsEditing(false)
          }}
          onCancel={() => setIsEditing(false)}
        />
      </>
    )
  }
  return (
    <>
      <PageHead
        title={
          <>
            {name} <AlertBadge automation={automation} /> {!enabled && <Badge color="warning">Paused</Badge>} <ManagedBadge url={managedUrl} />
          </>
        }
        above={above}
        actions={<AutomationActions automation={automation} isManaged={managedUrl !== undefined} onEdit={() => setIsEditing(true)} />}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <CurrentRun automation={automation} />
        {automation.condition?.kind === 'alert' && <AlertCard automation={automation} />}
        <AutomationFacts automation={automation} />
        <SendToCard automation={automation} />
        <RunHistory automation={automation} />
        <DeliveriesCard automationId={id} />
        <RunViaApi automationId={id} />
      </div>
    </>
  )
}
