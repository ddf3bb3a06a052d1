import type { CreatedApiKey } from '../../api/api-keys.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

/** The one time a key can be read, with the request that shows whether it works. */
export function NewApiKey({ created }: { created: CreatedApiKey }) {
  const example = `curl -H "Authorization: Bearer ${created.key}" ${window.location.origin}/api/me`
  return (
    <section className="notice new-key" aria-label="New API key">
      <p>
        <strong>{created.name}</strong> is ready. Copy the key now: it is not shown again.
      </p>
      <div className="copyable">
        <code>{created.key}</code>
        <CopyButton text={created.key} label="Copy key" />
      </div>
      <p>Try it:</p>
      <div className="copyable">
        <code>{example}</code>
        <CopyButton text={example} label="Copy command" />
      </div>
    </section>
  )
}
