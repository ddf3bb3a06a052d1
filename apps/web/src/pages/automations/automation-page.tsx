import { useState } from 'react'
import { type Automation, editAutomation, getAutomation } from '../../api/automations.ts'
import { ApiError, messageOf } from '../../api/request.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Button } from '../../ui/button.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { NotFoundPage } from '../not-found-page.tsx'
import { AutomationActions } from './automation-actions.tsx'
import { AutomationFacts } from './automation-facts.tsx'
import { AutomationForm } from './automation-form.tsx'
import { contentOf, draftOf } from './draft.ts'
import { FromAProgram } from './from-a-program.tsx'
import { RunHistory } from './run-history.tsx'
import { browserTimeZone } from './time-zone.ts'

/** `/automations/:id` */
export function AutomationPage({ id }: { id: string }) {
  const { loaded, reload } = useLoaded(id, (signal) => getAutomation(id, signal))
  if (loaded.status === 'loading') return <Loading />
  if (loaded.status === 'ready') return <AutomationView automation={loaded.value} onChanged={reload} />
  if (loaded.error instanceof ApiError && loaded.error.status === 404) return <NotFoundPage isInFrame />
  return <Problem message={messageOf(loaded.error)} onRetry={reload} />
}

function AutomationView({ automation, onChanged }: { automation: Automation; onChanged(): void }) {
  useTitle(automation.name)
  const [isEditing, setIsEditing] = useState(false)
  return (
    <article className="automation">
      <header className="page-head">
        <h1>{automation.name}{!automation.enabled && <Tag word="Paused" />}</h1>
      </header>
      {isEditing ? (
        <AutomationForm
          initial={draftOf(automation, browserTimeZone)}
          saveLabel="Save"
          onSave={async (draft) => {
            await editAutomation(automation.id, contentOf(draft))
            setIsEditing(false)
            onChanged()
          }}
          onCancel={() => setIsEditing(false)}
        />
      ) : (
        <>
          <AutomationActions automation={automation} onChanged={onChanged}>
            <Button onClick={() => setIsEditing(true)}>Edit</Button>
          </AutomationActions>
          <AutomationFacts automation={automation} />
          <RunHistory automationId={automation.id} onSettled={onChanged} />
          <FromAProgram automationId={automation.id} />
        </>
      )}
    </article>
  )
}
