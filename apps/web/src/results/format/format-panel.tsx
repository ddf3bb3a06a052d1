import { type ColumnSettings, columnTitle, formatter } from '@querypost/visualization'
import { ArrowDown, ArrowUp, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { Field } from '../../api/first-rows.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Choice } from '../../ui/inputs.tsx'
import { ColumnForm } from './column-form.tsx'
import { changeColumn, listColumns, moveColumn } from './edit-columns.ts'

/** The settings that the panel edits, as a visualization holds them. */
export interface TableSettings {
  columns: readonly ColumnSettings[]
  hasTotals: boolean
}

/** Edits how the columns of a result are shown: the list of columns, and the settings of one of them. */
export function FormatPanel(props: {
  fields: Field[]
  rows: unknown[][]
  value: TableSettings
  /** The column whose settings are open first. */
  firstColumn?: string | undefined
  onChange(value: TableSettings): void
}) {
  const { fields, rows, value } = props
  const { columns } = value
  const list = listColumns(fields, columns)
  const [openName, setOpenName] = useState(props.firstColumn ?? list[0]?.name)
  const open = list.find(({ name }) => name === openName)
  const openAt = fields.findIndex(({ name }) => name === openName)
  const setColumns = (changed: ColumnSettings[]) => props.onChange({ ...value, columns: changed })
  return (
    <div className="grid gap-5">
      <Choice
        label="Totals row"
        hint="Sums numbers that add up. Choose another total for a column below."
        checked={value.hasTotals}
        onChange={({ target }) => props.onChange({ ...value, hasTotals: target.checked })}
      />
      <div className="grid gap-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <ol aria-label="Columns" className="grid max-h-44 content-start self-start overflow-y-auto rounded-md border border-line sm:max-h-[60dvh]">
          {list.map((each, at) => {
            const title = columnTitle(each, each)
            const isHidden = each.isHidden === true
            return (
              <li
                key={each.name}
                className={classNames('flex items-center border-b border-line last:border-b-0', each.name === openName && 'bg-accent-wash')}
              >
                <button
                  type="button"
                  aria-current={each.name === openName}
                  className={classNames('min-w-0 flex-1 truncate px-2.5 py-1.5 text-left', isHidden && 'text-soft line-through')}
                  onClick={() => setOpenName(each.name)}
                >
                  {title}
                </button>
                <IconButton
                  label={`Move ${title} up`}
                  icon={<ArrowUp />}
                  disabled={at === 0}
                  onClick={() => setColumns(moveColumn({ fields, columns, name: each.name, by: -1 }))}
                />
                <IconButton
                  label={`Move ${title} down`}
                  icon={<ArrowDown />}
                  disabled={at === list.length - 1}
                  onClick={() => setColumns(moveColumn({ fields, columns, name: each.name, by: 1 }))}
                />
                <IconButton
                  label={isHidden ? `Show ${title}` : `Hide ${title}`}
                  icon={isHidden ? <EyeOff /> : <Eye />}
                  onClick={() => setColumns(changeColumn({ fields, columns, name: each.name, change: { isHidden: isHidden ? undefined : true } }))}
                />
              </li>
            )
          })}
        </ol>
        {open && openAt !== -1 && (
          <ColumnForm
            key={open.name}
            field={fields[openAt]!}
            settings={open}
            sample={sampleOf(fields[openAt]!, open, rows.map((row) => row[openAt]))}
            onChange={(change) => setColumns(changeColumn({ fields, columns, name: open.name, change }))}
          />
        )}
      </div>
    </div>
  )
}

/** The first value that is not null, as it is shown. */
function sampleOf(field: Field, settings: ColumnSettings, values: unknown[]): string | null {
  const first = values.find((value) => value !== null && value !== undefined)
  return formatter(field, settings, undefined, values)(first)
}
