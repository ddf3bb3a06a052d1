import { memo, type ReactNode } from 'react'
import { Link } from '../../location.tsx'
import { placeOf } from '../../paths.ts'
import { type Block, parseBlocks } from './parse-blocks.ts'
import type { Inline } from './parse-inline.ts'

/**
 * What an agent wrote. It may have read anything, and may repeat it: so nothing here becomes HTML, nothing is
 * loaded, and only addresses of this site are links. Others are shown as they are, so that whoever follows one has
 * read where it leads.
 */
export const Markdown = memo(function Markdown({ text, origin }: { text: string; origin: string }) {
  return (
    <div className="markdown">
      {parseBlocks(text).map((block, at) => <BlockView key={at} block={block} origin={origin} />)}
    </div>
  )
})

function BlockView({ block, origin }: { block: Block; origin: string }): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p><Inlines inlines={block.children} origin={origin} /></p>
    case 'heading':
      return <h3><Inlines inlines={block.children} origin={origin} /></h3>
    case 'code':
      return <pre>{block.text}</pre>
    case 'list': {
      const items = block.items.map((item, at) => (
        <li key={at}>
          <Inlines inlines={item.children} origin={origin} />
          {item.nested.map((nested, place) => <BlockView key={place} block={nested} origin={origin} />)}
        </li>
      ))
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return (
        <div className="table-box">
          <table>
            <thead>
              <tr>{block.head.map((cell, at) => <th key={at} scope="col"><Inlines inlines={cell} origin={origin} /></th>)}</tr>
            </thead>
            <tbody>
              {block.rows.map((row, rowAt) => (
                <tr key={rowAt}>{row.map((cell, at) => <td key={at}><Inlines inlines={cell} origin={origin} /></td>)}</tr>
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
      return <code>{inline.text}</code>
    case 'strong':
      return <strong><Inlines inlines={inline.children} origin={origin} /></strong>
    case 'emphasis':
      return <em><Inlines inlines={inline.children} origin={origin} /></em>
    case 'link':
      return <LinkView address={inline.address} origin={origin}><Inlines inlines={inline.children} origin={origin} /></LinkView>
  }
}

function LinkView({ address, origin, children }: { address: string; origin: string; children: ReactNode }) {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
  if (url?.origin !== origin) return <>{children} <span className="soft">({address})</span></>
  const path = `${url.pathname}${url.search}${url.hash}`
  return placeOf(url.pathname) ? <Link href={path}>{children}</Link> : <a href={path}>{children}</a>
}
