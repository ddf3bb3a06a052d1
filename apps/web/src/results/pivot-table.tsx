import type { PivotTable as Table } from '@querypost/visualization'
import { classNames } from '../ui/class-names.ts'
import { cellTint } from './cell-tint.ts'

/** A pivot table as plain HTML. It scrolls inside its box; the headers and the first column stay in view. */
export function PivotTable(props: {
  table: Table
  label?: string
  /** Whether it fills its container instead of having a height of its own. */
  isFilling?: boolean | undefined
}) {
  const { table, label = 'Pivot table', isFilling = false } = props
  const { labelTitles, headers, lines, notes } = table
  return (
    <div className={classNames('min-w-0 gap-1.5', isFilling ? 'flex h-full flex-col' : 'grid')}>
      <div
        role="region"
        aria-label={label}
        tabIndex={0}
        className={classNames(
          'overflow-auto overscroll-x-contain rounded-lg border border-line bg-surface text-[13px]',
          isFilling ? 'min-h-0' : 'max-h-[min(70dvh,44rem)]',
        )}
      >
        <table className="w-full border-separate border-spacing-0">
          <thead className="sticky top-0 z-2">
            {headers.map((level, depth) => (
              <tr key={depth}>
                {depth === 0 &&
                  labelTitles.map((title, at) => (
                    <th
                      key={at}
                      scope="col"
                      rowSpan={headers.length}
                      className={classNames(headerCell, 'text-left align-bottom', at === 0 && 'sticky left-0 z-1')}
                    >
                      {title}
                    </th>
                  ))}
                {level.map(({ text, span, isTotal }, at) => (
                  <th
                    key={at}
                    scope={span === 1 ? 'col' : 'colgroup'}
                    colSpan={span}
                    className={classNames(headerCell, span === 1 ? 'text-right' : 'text-center', isTotal && 'font-semibold')}
                  >
                    {text}
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {lines.map(({ kind, labels, cells }, lineAt) => (
              <tr key={lineAt} className={classNames(kind === 'row' ? 'group' : 'font-semibold')}>
                {labels.map(({ text, isRepeated }, at) => (
                  <th
                    key={at}
                    scope="row"
                    className={classNames(
                      bodyCell,
                      'max-w-56 truncate text-left',
                      kind === 'row' ? 'bg-surface font-normal group-hover:bg-raised' : 'bg-raised font-semibold',
                      at === 0 && 'sticky left-0 z-1 max-sm:max-w-32',
                    )}
                  >
                    <span className={classNames(isRepeated && 'sr-only')}>{text}</span>
                  </th>
                ))}
                {cells.map(({ text, color, isTotal }, at) => (
                  <td
                    key={at}
                    className={classNames(
                      bodyCell,
                      'text-right whitespace-nowrap tabular-nums group-hover:bg-raised',
                      isTotal && 'bg-raised font-semibold',
                    )}
                    style={color === null ? undefined : cellTint(color)}
                  >
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {notes.map((note) => <p key={note} className="text-xs text-soft">{note}</p>)}
    </div>
  )
}

const headerCell = 'border-r border-b border-line bg-raised px-3 py-1.5 font-medium whitespace-nowrap last:border-r-0'
const bodyCell = 'border-r border-b border-line px-3 py-1 last:border-r-0'
