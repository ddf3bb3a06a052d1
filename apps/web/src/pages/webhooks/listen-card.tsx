import { documentation, paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { listenCommand } from './listen-command.ts'

/** The way to events for a receiver that is still on somebody's machine. */
export function ListenCard() {
  return (
    <Card
      className="mt-6"
      title="No public address yet?"
      description="Have events handed to a receiver on your machine, over a connection that goes out from there."
    >
      <div className="grid grid-cols-1 gap-3">
        <CodeBlock label="The command that listens" text={listenCommand(window.location.origin)} isWrapped />
        <p className="text-soft">
          It takes an API key of <TextLink href={paths.account}>your account</TextLink> in QUERYPOST_API_KEY. Read{' '}
          <TextLink href={`${documentation.webhooks}#try-it-on-your-machine`}>how to try it</TextLink>.
        </p>
      </div>
    </Card>
  )
}
