import { createAutomation } from '../../api/automations.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { useTitle } from '../../ui/use-title.ts'
import { AutomationForm } from './automation-form.tsx'
import { contentOf, newDraft } from './draft.ts'
import { browserTimeZone } from './time-zone.ts'

/** `/automations/new` */
export function NewAutomationPage() {
  useTitle('New automation')
  return (
    <>
      <header className="page-head">
        <h1>New automation</h1>
        <p className="soft">An agent looks at queries, and says what there is to say.</p>
      </header>
      <AutomationForm
        initial={newDraft(browserTimeZone)}
        saveLabel="Create automation"
        onSave={async (draft) => {
          const { id } = await createAutomation(contentOf(draft))
          navigate(paths.automation(id))
        }}
        onCancel={() => navigate(paths.automations)}
      />
    </>
  )
}
