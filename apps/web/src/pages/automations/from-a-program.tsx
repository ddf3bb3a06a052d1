import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

/** How a program starts a run. */
export function FromAProgram({ automationId }: { automationId: string }) {
  const address = `${window.location.origin}/api/automations/${automationId}/runs`
  const command = `curl -X POST -H "Authorization: Bearer $QUERYPOST_API_KEY" ${address}`
  return (
    <section className="from-a-program" aria-label="From a program">
      <h2>From a program</h2>
      <p className="soft">
        A program starts a run with an API key, which you create in your <Link href={paths.account}>account</Link>. The answer is the
        run; ask for it again at <code>/api/automation-runs/</code> and its id until it has ended.
      </p>
      <div className="copyable">
        <code>{command}</code>
        <CopyButton text={command} label="Copy command" />
      </div>
    </section>
  )
}
