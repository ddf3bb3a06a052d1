import { useState } from 'react'
import { documentation } from '../../paths.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type AssistantSetup, assistantSetups } from './assistant-setups.ts'

/** What to paste, so that an assistant can look at the organization's queries with a new key. */
export function AssistantHint({ apiKey }: { apiKey: string }) {
  const [current, setCurrent] = useState<AssistantSetup['name']>('claude-code')
  const setups = assistantSetups({ url: `${window.location.origin}/mcp`, key: apiKey })
  return (
    <details>
      <summary className="w-fit text-soft hover:text-ink">Use it with an assistant</summary>
      <div className="mt-2 grid gap-2">
        <p>
          Assistants that speak the Model Context Protocol can read and run your saved queries.{' '}
          <a className="text-accent underline underline-offset-3" href={documentation.assistants}>What they can do</a>
        </p>
        <Tabs<AssistantSetup['name']>
          label="Assistant"
          current={current}
          onChange={setCurrent}
          tabs={setups.map(({ name, label, place, text }) => ({
            name,
            label,
            content: (
              <div className="grid gap-2">
                <p>{place}</p>
                <CodeBlock label={`Setup of ${label}`} text={text} isWrapped />
              </div>
            ),
          }))}
        />
      </div>
    </details>
  )
}
