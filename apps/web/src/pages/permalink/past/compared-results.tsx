import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChangedRow, comparisonOptions, type ResultComparison } from '../../../api/result-history.ts'
import { Badge, type BadgeColor } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Time } from '../../../ui/time.tsx'
import { describeColumns, describeKey, signed, textOfValue } from './describe-comparison.ts'
import { WhyChanged } from './why-changed.tsx'

/** Two kept results row by row, and why their numbers differ. */
export function ComparedResults({ shortId, from, to }: { shortId: string; from: string; to: string }) {
  const [keyColumns, setKeyColumns] = useState<string[]>()
  const compared = { from, to, ...(keyColumns && { keyColumns }) }
  const comparison = useQuery(comparisonOptions(shortId, compared))
  return (
    <>
      <Card title="Comparison">
        <Loaded query={comparison}>{(found) => <Comparison comparison={found} onKey={setKeyColumns} />}</Loaded>
      </Card>
      <Card title="Why did it change?"><WhyChanged shortId={shortId} compared={compared} /></Card>
    </>
  )
}

const count = new Intl.NumberFormat()

function Comparison({ comparison, onKey }: { comparison: ResultComparison; onKey(columns: string[] | undefined): void }) {
  const { from, to, added, removed, changed, unchanged, rows } = comparison
  const all = added + removed + changed
  const columns = describeColumns(comparison.columns)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-soft">From <Time at={from.at} /> to <Time at={to.at} />. {describeKey(comparison)}</p>
      <KeyForm comparison={comparison} onKey={onKey} />
      <p className="flex flex-wrap gap-2">
        <Badge color="good">{count.format(added)} added</Badge>
        <Badge color="danger">{count.format(removed)} removed</Badge>
        <Badge color="warning">{count.format(changed)} changed</Badge>
        <Badge>{count.format(unchanged)} unchanged</Badge>
      </p>
      {columns.length > 0 && (
        <ul className="list-disc pl-5 text-sm [overflow-wrap:anywhere]">{columns.map((text) => <li key={text}>{text}</li>)}</ul>
      )}
      {all === 0 ? (
        <p>No row differs.</p>
      ) : (
        <ul className="divide-y divide-line border-t border-line" aria-label="Changed rows">
          {rows.map((row, at) => <Change key={at} row={row} hasKey={comparison.keyChoice !== 'all_columns'} />)}
        </ul>
      )}
      {all > rows.length && <p className="text-soft">And {count.format(all - rows.length)} more</p>}
    </div>
  )
}

/** Chooses the columns that identify a row. */
function KeyForm({ comparison, onKey }: { comparison: ResultComparison; onKey(columns: string[] | undefined): void }) {
  const [text, setText] = useState(() => (comparison.keyChoice === 'all_columns' ? '' : comparison.keyColumns.join(', ')))
  return (
    <form
      className="flex flex-wrap items-end gap-2 sm:[&>button]:mb-5"
      onSubmit={(event) => {
        event.preventDefault()
        const columns = text.split(',').map((name) => name.trim()).filter((name) => name !== '')
        onKey(columns.length === 0 ? undefined : columns)
      }}
    >
      <Field label="Key columns" hint="Separated by commas. Leave empty to infer them." className="min-w-0 grow basis-56">
        <TextInput value={text} onChange={(event) => setText(event.currentTarget.value)} />
      </Field>
      <Button type="submit">Match by these columns</Button>
    </form>
  )
}

const looks: Record<ChangedRow['op'], { label: string; color: BadgeColor }> = {
  add: { label: 'Added', color: 'good' },
  remove: { label: 'Removed', color: 'danger' },
  change: { label: 'Changed', color: 'warning' },
}

function Change({ row, hasKey }: { row: ChangedRow; hasKey: boolean }) {
  const { label, color } = looks[row.op]
  const values = hasKey ? row.key : (row.after ?? row.before ?? [])
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-2 [overflow-wrap:anywhere]">
        <Badge color={color}>{label}</Badge>
        <span className="min-w-0 font-medium">{values.map(textOfValue).join(' · ')}</span>
      </p>
      {row.op !== 'change' && hasKey && <p className="text-soft [overflow-wrap:anywhere]">{(row.after ?? row.before ?? []).map(textOfValue).join(' · ')}</p>}
      {row.cells?.map(({ column, before, after, difference }) => (
        <p key={column} className="[overflow-wrap:anywhere]">
          <span className="text-soft">{column}:</span> {textOfValue(before)} → {textOfValue(after)}
          {difference !== undefined && <span className="text-soft tabular-nums"> ({signed(difference)})</span>}
        </p>
      ))}
    </li>
  )
}
