import { useState } from 'react'
import { documentation } from '../../paths.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type AssistantSetup, assistantSetups } from './assistant-setups.ts'

/** Setup instructions for using the organization's queries in an AI assistant with the new key. */
export function AssistantHint({ apiKey }: { apiKey: string }) {
  const [current, setCurrent] = useState<AssistantSetup['name']>('claude-code')
  const setups = assistantSetups({ url: `${window.location.origin}/mcp`, key: apiKey })
  return (
    <details>
      <summary className="w-fit text-soft hover:text-ink">Use with an AI assistant</summary>
      <div className="mt-2 grid gap-2">
        <p>
          Assistants that support the Model Context Protocol (MCP) can read and run your saved queries.{' '}
          <a className="text-accent underline underline-offset-3" href={documentation.assistants}>Learn more</a>
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
                <CodeBlock label={`Setup for ${label}`} text={text} isWrapped />
              </div>
            ),
          }))}
        />
      </div>
    </details>
  )
}
