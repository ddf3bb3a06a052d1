import type { CreatedApiKey } from '../../api/api-keys.ts'
import { documentation } from '../../paths.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { AssistantHint } from './assistant-hint.tsx'
import { TextLink } from '../../ui/text-link.tsx'

/** The one time a key can be read, with the request that shows whether it works. */
export function NewApiKey({ created }: { created: CreatedApiKey }) {
  const example = `curl -H "Authorization: Bearer ${created.key}" ${window.location.origin}/api/me`
  return (
    <section className="grid gap-2 rounded-lg bg-accent-wash p-4" aria-label="New API key">
      <p role="status">
        <strong>{created.name}</strong> is ready. Copy the key now: it is not shown again.
      </p>
      <CodeBlock label="API key" text={created.key} copyLabel="Copy key" isWrapped />
      <p>Try it; it answers who you are:</p>
      <CodeBlock label="Command" text={example} isWrapped />
      <AssistantHint apiKey={created.key} />
      <p>
        What else it can do says <TextLink href={documentation.api}>the API’s documentation</TextLink>.
      </p>
    </section>
  )
}
