import type { Field, Visualization } from '@querypost/visualization'
import { MessageSquarePlus, X } from 'lucide-react'
import { useMemo } from 'react'
import { nameOfPoint } from '../comments/describe-point.ts'
import { ResultTable } from '../results/result-table.tsx'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import type { ChartMark, ChartViewProps } from './chart-view-props.ts'

interface MarkRowsProps {
  mark: ChartMark
  fields: Field[]
  rows: unknown[][]
  columns: Visualization['columns']
  onComment: ChartViewProps['onComment']
  onClose(): void
}

/** The rows behind a mark. */
export function MarkRows({ mark, fields, rows, columns, onComment, onClose }: MarkRowsProps) {
  const own = useMemo(() => mark.rows.map((row) => rows[row]!), [mark, rows])
  const title = [mark.category, mark.series].filter((text) => text !== '').join(', ')
  return (
    <section aria-label={`Rows of ${title}`} className="grid min-w-0 gap-2 rounded-lg border border-line p-3">
      <div className="flex items-center justify-between gap-2">
        <h3 className="mr-auto min-w-0 truncate text-sm font-medium">
          {title} · {own.length.toLocaleString()} {own.length === 1 ? 'row' : 'rows'}
        </h3>
        {onComment && <CommentOnMark points={mark.points} onComment={onComment} />}
        <IconButton label="Close rows" icon={<X />} onClick={onClose} />
      </div>
      <ResultTable fields={fields} rows={own} columns={columns} label={`Rows of ${title}`} />
    </section>
  )
}

/** A mark of a whole category has several values to choose from. */
function CommentOnMark({ points, onComment }: Pick<ChartMark, 'points'> & { onComment: NonNullable<ChartViewProps['onComment']> }) {
  const [first, ...others] = points
  if (!first) return null
  const look = { size: 'small', icon: <MessageSquarePlus /> } as const
  if (others.length === 0) return <Button {...look} onClick={() => onComment(first)}>Comment on this point</Button>
  return (
    <Menu trigger={<Button {...look}>Comment on a point</Button>}>
      {points.map((point, at) => (
        <MenuItem key={at} movesFocus onSelect={() => onComment(point)}>{nameOfPoint(point)}: {point.value}</MenuItem>
      ))}
    </Menu>
  )
}
