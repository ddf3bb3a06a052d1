import { memo, type ReactNode } from 'react'
import { isPagePath } from '../../paths.ts'
import { TextLink } from '../text-link.tsx'
import { addMarks, type Span } from './marks.ts'
import { type Block, parseBlocks } from './parse-blocks.ts'
import type { Inline } from './parse-inline.ts'

/** Spans of the text that are rendered by the caller. */
export interface Marks {
  spans: readonly Span[]
  /** Renders the span with this index. `children` is its text. */
  render(index: number, children: ReactNode): ReactNode
}

interface Rendering {
  origin: string
  marks?: Marks
}

/**
 * Renders text written by an agent, which may repeat anything it has read. So it never becomes HTML, loads nothing, and links only
 * to this site. Other URLs are shown as text, so that people see where they lead.
 */
export const Markdown = memo(function Markdown({ text, ...rendering }: { text: string } & Rendering) {
  const source = addMarks(text, rendering.marks?.spans ?? [])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 [overflow-wrap:anywhere]">
      {parseBlocks(source).map((block, at) => <BlockView key={at} block={block} {...rendering} />)}
    </div>
  )
})

const list = 'grid gap-1 pl-5 [&_ol]:mt-1 [&_ul]:mt-1'

function BlockView({ block, ...rendering }: { block: Block } & Rendering): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p className="whitespace-pre-line"><Inlines inlines={block.children} {...rendering} /></p>
    case 'heading':
      return <h3><Inlines inlines={block.children} {...rendering} /></h3>
    case 'code':
      return <pre className="overflow-x-auto rounded-md bg-raised px-3 py-2 font-mono text-xs">{block.text}</pre>
    case 'list': {
      const items = block.items.map((item, at) => (
        <li key={at} className="whitespace-pre-line">
          <Inlines inlines={item.children} {...rendering} />
          {item.nested.map((nested, place) => <BlockView key={place} block={nested} {...rendering} />)}
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
                    <Inlines inlines={cell} {...rendering} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {block.rows.map((row, rowAt) => (
                <tr key={rowAt}>
                  {row.map((cell, at) => (
                    <td key={at} className="px-2.5 py-1"><Inlines inlines={cell} {...rendering} /></td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

function Inlines({ inlines, ...rendering }: { inlines: Inline[] } & Rendering): ReactNode {
  return inlines.map((inline, at) => <InlineView key={at} inline={inline} {...rendering} />)
}

function InlineView({ inline, ...rendering }: { inline: Inline } & Rendering): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code className="rounded bg-raised px-1 py-0.5 font-mono text-[0.9em]">{inline.text}</code>
    case 'strong':
      return <strong className="font-semibold"><Inlines inlines={inline.children} {...rendering} /></strong>
    case 'emphasis':
      return <em><Inlines inlines={inline.children} {...rendering} /></em>
    case 'link':
      // A mark may be a link itself, and links can't be nested.
      if (hasMark(inline.children)) return <Inlines inlines={inline.children} {...rendering} />
      return <LinkView address={inline.address} origin={rendering.origin}><Inlines inlines={inline.children} {...rendering} /></LinkView>
    case 'strikethrough':
      // A mark that is struck through as a whole says so itself.
      if (inline.children.length === 1 && hasMark(inline.children)) return <Inlines inlines={inline.children} {...rendering} />
      return <del><Inlines inlines={inline.children} {...rendering} /></del>
    case 'mark':
      return rendering.marks?.render(inline.index, <Inlines inlines={inline.children} {...rendering} />)
  }
}

function hasMark(inlines: Inline[]): boolean {
  return inlines.some((inline) => inline.kind === 'mark' || ('children' in inline && hasMark(inline.children)))
}

function LinkView({ address, origin, children }: { address: string; origin: string; children: ReactNode }) {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
  if (url?.origin !== origin) return <>{children} <span className="text-soft">({address})</span></>
  const path = `${url.pathname}${url.search}${url.hash}`
  if (isPagePath(url.pathname)) return <TextLink href={path}>{children}</TextLink>
  return <a href={path} className="text-accent underline underline-offset-3">{children}</a>
}
