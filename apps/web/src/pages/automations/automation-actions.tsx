import type { ReactNode } from 'react'
import { type Automation, deleteAutomation, editAutomation, runAutomation } from '../../api/automations.ts'
import { hasCode } from '../../api/request.ts'
import { Link, navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

/** What can be done with an automation. `children` are further buttons. */
export function AutomationActions(props: { automation: Automation; onChanged(): void; children: ReactNode }) {
  const { automation, onChanged } = props
  const { id, enabled, latestRun } = automation
  const action = useAction()
  const isByItself = automation.schedule !== null || automation.condition !== null
  return (
    <>
      <div className="actions wide">
        <Button
          kind="primary"
          disabled={action.isBusy}
          onClick={() => action.run(async () => navigate(paths.chat((await runAutomation(id)).chatShortId)))}
        >
          Run now
        </Button>
        {isByItself && (
          <Button
            disabled={action.isBusy}
            onClick={() =>
              action.run(async () => {
                await editAutomation(id, { enabled: !enabled })
                onChanged()
              })
            }
          >
            {enabled ? 'Pause' : 'Resume'}
          </Button>
        )}
        {props.children}
        <ConfirmButton
          label="Delete"
          confirmLabel="Delete for good"
          isBusy={action.isBusy}
          onConfirm={() =>
            action.run(async () => {
              await deleteAutomation(id)
              navigate(paths.automations)
            })
          }
        />
      </div>
      {action.message !== undefined && <Problem message={action.message} />}
      {hasCode(action.error, 'automation_already_running') && latestRun && (
        <p><Link href={new URL(latestRun.chatUrl).pathname}>See the run that is under way</Link></p>
      )}
    </>
  )
}
