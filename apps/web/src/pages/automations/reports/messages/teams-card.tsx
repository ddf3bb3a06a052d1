import type { ReactNode } from 'react'
import type { ReportMessage } from '../../../../api/reports.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { parseInline } from '../../../../ui/markdown/parse-inline.ts'
import { OutsideLink, StyledText } from './styled-text.tsx'

type Card = (ReportMessage & { kind: 'teams' })['card']
type Element = Card['body'][number]
type Text = Extract<Element, { type: 'TextBlock' }>

/** An adaptive card as Teams shows it. */
export function TeamsCard({ card }: { card: Card }) {
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] rounded-md border border-line bg-surface p-4 shadow-sm" aria-label="Teams message">
      {card.body.map((element, at) => <ElementView key={at} element={element} isFirst={at === 0} />)}
      {card.actions.length > 0 && (
        <div className="mt-4 flex flex-wrap gap-2">
          {card.actions.map(({ title, url }) => (
            <OutsideLink key={url} href={url} className="rounded border border-line-strong px-4 py-1.5 font-medium">{title}</OutsideLink>
          ))}
        </div>
      )}
    </article>
  )
}

function ElementView({ element, isFirst }: { element: Element; isFirst: boolean }): ReactNode {
  switch (element.type) {
    case 'TextBlock':
      return <TextView text={element} className={isFirst ? '' : spacing(element)} />
    case 'Image':
      return (
        <OutsideLink href={element.selectAction.url} className="mt-2">
          <img src={element.url} alt={element.altText} className="max-w-full" />
        </OutsideLink>
      )
    case 'Table':
      return (
        <div className="mt-2 overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
          <table className="w-full border-collapse text-[0.8125rem]">
            <tbody>
              {element.rows.map(({ cells }, line) => (
                <tr key={line} className={line === 0 && element.firstRowAsHeader ? 'bg-raised' : ''}>
                  {cells.map(({ items }, at) => (
                    <td key={at} className="border border-line px-2 py-1.5 align-top">
                      {items.map((item, place) => <TextView key={place} text={item} />)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

const sizes = { Small: 'text-xs', Medium: 'text-base', Large: 'text-lg', ExtraLarge: 'text-2xl' } as const

function spacing({ spacing: given, separator }: Text): string {
  if (separator) return 'mt-4 border-t border-line pt-3'
  return given === 'None' ? '' : given === 'Small' ? 'mt-1' : 'mt-2'
}

function TextView({ text, className }: { text: Text; className?: string }) {
  return (
    <p
      className={classNames(
        'whitespace-pre-line [overflow-wrap:anywhere]',
        text.size ? sizes[text.size] : '',
        text.weight === 'Bolder' ? 'font-semibold' : '',
        text.isSubtle ? 'text-soft' : '',
        text.color === 'Attention' ? 'text-danger' : '',
        text.fontType === 'Monospace' ? 'font-mono text-xs' : '',
        text.horizontalAlignment === 'Right' ? 'text-right tabular-nums' : '',
        className,
      )}
    >
      <StyledText inlines={parseInline(text.text)} />
    </p>
  )
}
