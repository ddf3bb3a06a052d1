import { documentation, paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { listenCommand } from './listen-command.ts'

/** Shows how to receive events on a developer's machine. */
export function ListenCard() {
  return (
    <Card
      className="mt-6"
      title="Test locally"
      description="Forward events to your machine. No public URL needed."
    >
      <div className="grid grid-cols-1 gap-3">
        <CodeBlock label="Listen command" text={listenCommand(window.location.origin)} isWrapped />
        <p className="text-soft">
          Set QUERYPOST_API_KEY to an API key from <TextLink href={paths.account}>your account</TextLink>.{' '}
          <TextLink href={`${documentation.webhooks}#try-it-on-your-machine`}>Learn more</TextLink>
        </p>
      </div>
    </Card>
  )
}
