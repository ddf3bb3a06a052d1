import type { Field, Visualization } from '@querypost/visualization'
import { X } from 'lucide-react'
import { useMemo } from 'react'
import { ResultTable } from '../results/result-table.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import type { ChartMark } from './chart-view-props.ts'

interface MarkRowsProps {
  mark: ChartMark
  fields: Field[]
  rows: unknown[][]
  columns: Visualization['columns']
  onClose(): void
}

/** The rows behind a mark. */
export function MarkRows({ mark, fields, rows, columns, onClose }: MarkRowsProps) {
  const own = useMemo(() => mark.rows.map((row) => rows[row]!), [mark, rows])
  const title = [mark.category, mark.series].filter((text) => text !== '').join(', ')
  return (
    <section aria-label={`Rows of ${title}`} className="grid min-w-0 gap-2 rounded-lg border border-line p-3">
      <div className="flex items-center justify-between gap-2">
        <h3 className="min-w-0 truncate text-sm font-medium">
          {title} · {own.length.toLocaleString()} {own.length === 1 ? 'row' : 'rows'}
        </h3>
        <IconButton label="Close rows" icon={<X />} onClick={onClose} />
      </div>
      <ResultTable fields={fields} rows={own} columns={columns} label={`Rows of ${title}`} />
    </section>
  )
}
