import type { ReactNode } from 'react'
import type { Inline } from '../../../../ui/markdown/parse-inline.ts'

/** Text of a message. Its links lead to where they lead in the message, in a new tab. */
export function StyledText({ inlines }: { inlines: Inline[] }): ReactNode {
  return inlines.map((inline, at) => <StyledPart key={at} inline={inline} />)
}

function StyledPart({ inline }: { inline: Inline }): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code className="rounded bg-raised px-1 py-0.5 font-mono text-[0.9em]">{inline.text}</code>
    case 'strong':
      return <strong className="font-semibold"><StyledText inlines={inline.children} /></strong>
    case 'emphasis':
      return <em><StyledText inlines={inline.children} /></em>
    case 'strikethrough':
      return <del><StyledText inlines={inline.children} /></del>
    case 'link':
      return <OutsideLink href={inline.address}><StyledText inlines={inline.children} /></OutsideLink>
    case 'mark':
      return <StyledText inlines={inline.children} />
  }
}

/** A link of a message. Anything but a web address stays text. */
export function OutsideLink({ href, className = 'text-accent hover:underline', children }: { href: string; className?: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(href)) return <>{children}</>
  return <a href={href} target="_blank" rel="noreferrer" className={className}>{children}</a>
}
