import { documentation, paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextLink } from '../../ui/text-link.tsx'

/** How a program starts a run. */
export function FromAProgram({ automationId }: { automationId: string }) {
  const address = `${window.location.origin}/api/automations/${automationId}/runs`
  const command = `curl -X POST -H "Authorization: Bearer $QUERYPOST_API_KEY" ${address}`
  return (
    <Card title="From a program">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="text-soft">
          A program starts a run with an API key, which you create in your{' '}
          <TextLink href={paths.account}>account</TextLink>. The answer is the run; ask for it again at{' '}
          <code className="text-xs">/api/automation-runs/</code> and its id until it has ended (
          <TextLink href={documentation.automations}>more of this</TextLink>).
        </p>
        <CodeBlock text={command} label="Command" />
      </div>
    </Card>
  )
}
