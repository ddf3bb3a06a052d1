import { documentation, paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextLink } from '../../ui/text-link.tsx'

/** Shows how to start a run via the API. */
export function RunViaApi({ automationId }: { automationId: string }) {
  const address = `${window.location.origin}/api/automations/${automationId}/runs`
  const command = `curl -X POST -H "Authorization: Bearer $QUERYPOST_API_KEY" ${address}`
  return (
    <Card title="Run via API">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="text-soft">
          Start a run with an API key from your <TextLink href={paths.account}>account</TextLink>. The response is the run; poll{' '}
          <code className="text-xs">/api/automation-runs/&#123;id&#125;</code> until it ends.{' '}
          <TextLink href={documentation.automations}>Learn more</TextLink>
        </p>
        <CodeBlock text={command} label="Command" />
      </div>
    </Card>
  )
}
