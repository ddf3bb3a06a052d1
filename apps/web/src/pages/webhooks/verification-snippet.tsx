import { useState } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { snippetsFor } from './snippets.ts'

export function VerificationSnippet({ endpointId }: { endpointId: string }) {
  const [current, setCurrent] = useState('typescript')
  return (
    <Tabs
      label="Language"
      current={current}
      onChange={setCurrent}
      tabs={snippetsFor(endpointId).map(({ name, label, install, text }) => ({
        name,
        label,
        content: (
          <div className="grid grid-cols-1 gap-2">
            {install !== undefined && <CodeBlock label={`How to install for ${label}`} text={install} />}
            <CodeBlock label={`Verification in ${label}`} text={text} />
          </div>
        ),
      }))}
    />
  )
}
