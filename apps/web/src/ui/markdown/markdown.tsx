import { memo, type ReactNode } from 'react'
import { isPagePath } from '../../paths.ts'
import { TextLink } from '../text-link.tsx'
import { type Block, parseBlocks } from './parse-blocks.ts'
import type { Inline } from './parse-inline.ts'

/**
 * Renders text written by an agent, which may repeat anything it has read. So it never becomes HTML, loads nothing, and links only
 * to this site. Other URLs are shown as text, so that people see where they lead.
 */
export const Markdown = memo(function Markdown({ text, origin }: { text: string; origin: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 [overflow-wrap:anywhere]">
      {parseBlocks(text).map((block, at) => <BlockView key={at} block={block} origin={origin} />)}
    </div>
  )
})

const list = 'grid gap-1 pl-5 [&_ol]:mt-1 [&_ul]:mt-1'

function BlockView({ block, origin }: { block: Block; origin: string }): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p className="whitespace-pre-line"><Inlines inlines={block.children} origin={origin} /></p>
    case 'heading':
      return <h3><Inlines inlines={block.children} origin={origin} /></h3>
    case 'code':
      return <pre className="overflow-x-auto rounded-md bg-raised px-3 py-2 font-mono text-xs">{block.text}</pre>
    case 'list': {
      const items = block.items.map((item, at) => (
        <li key={at} className="whitespace-pre-line">
          <Inlines inlines={item.children} origin={origin} />
          {item.nested.map((nested, place) => <BlockView key={place} block={nested} origin={origin} />)}
        </li>
      ))
      if (block.isOrdered) return <ol className={`list-decimal ${list}`}>{items}</ol>
      return <ul className={`list-disc ${list}`}>{items}</ul>
    }
    case 'table':
      return (
        <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="group" aria-label="Table">
          <table className="w-full text-xs">
            <thead className="bg-raised">
              <tr>
                {block.head.map((cell, at) => (
                  <th key={at} scope="col" className="px-2.5 py-1.5 text-left font-medium">
                    <Inlines inlines={cell} origin={origin} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {block.rows.map((row, rowAt) => (
                <tr key={rowAt}>
                  {row.map((cell, at) => (
                    <td key={at} className="px-2.5 py-1"><Inlines inlines={cell} origin={origin} /></td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

function Inlines({ inlines, origin }: { inlines: Inline[]; origin: string }): ReactNode {
  return inlines.map((inline, at) => <InlineView key={at} inline={inline} origin={origin} />)
}

function InlineView({ inline, origin }: { inline: Inline; origin: string }): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code className="rounded bg-raised px-1 py-0.5 font-mono text-[0.9em]">{inline.text}</code>
    case 'strong':
      return <strong className="font-semibold"><Inlines inlines={inline.children} origin={origin} /></strong>
    case 'emphasis':
      return <em><Inlines inlines={inline.children} origin={origin} /></em>
    case 'link':
      return <LinkView address={inline.address} origin={origin}><Inlines inlines={inline.children} origin={origin} /></LinkView>
  }
}

function LinkView({ address, origin, children }: { address: string; origin: string; children: ReactNode }) {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
  if (url?.origin !== origin) return <>{children} <span className="text-soft">({address})</span></>
  const path = `${url.pathname}${url.search}${url.hash}`
  if (isPagePath(url.pathname)) return <TextLink href={path}>{children}</TextLink>
  return <a href={path} className="text-accent underline underline-offset-3">{children}</a>
}
