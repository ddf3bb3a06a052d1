import { useState } from 'react'
import { documentation } from '../../paths.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextLink } from '../../ui/text-link.tsx'
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
            {install !== undefined && <CodeBlock label={`Install command for ${label}`} text={install} />}
            <CodeBlock label={`Verification in ${label}`} text={text} />
            <p className="text-soft">
              A complete receiver. Run it as it is, or copy the verification into your app.{' '}
              <TextLink href={`${documentation.webhooks}/${name}#in-your-framework`}>Use it with your framework</TextLink>
            </p>
          </div>
        ),
      }))}
    />
  )
}
