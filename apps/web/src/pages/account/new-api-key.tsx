import type { CreatedApiKey } from '../../api/api-keys.ts'
import { documentation } from '../../paths.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { AssistantHint } from './assistant-hint.tsx'
import { TextLink } from '../../ui/text-link.tsx'

/** Shows the new key, which can't be shown again, with a request to try it. */
export function NewApiKey({ created }: { created: CreatedApiKey }) {
  const example = `curl -H "Authorization: Bearer ${created.key}" ${window.location.origin}/api/me`
  return (
    <section className="grid gap-2 rounded-lg bg-accent-wash p-4" aria-label="New API key">
      <p role="status">
        <strong>{created.name}</strong> created. Copy the key now. You won’t see it again.
      </p>
      <CodeBlock label="API key" text={created.key} copyLabel="Copy key" isWrapped />
      <p>Try it. The response says who you are:</p>
      <CodeBlock label="Command" text={example} isWrapped />
      <AssistantHint apiKey={created.key} />
      <p>
        <TextLink href={documentation.api}>Read the API documentation</TextLink>
      </p>
    </section>
  )
}
