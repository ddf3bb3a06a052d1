import { Select } from '../ui/inputs.tsx'

/** The columns of the latest result, and the chosen one even if the result doesn't have it. */
export function ColumnSelect(props: { columns: { name: string }[] | undefined; empty: string; value: string; onChange(column: string): void }) {
  const { columns = [], value, empty, onChange } = props
  const names = new Set([...columns.map(({ name }) => name), ...(value === '' ? [] : [value])])
  return (
    <Select value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{empty}</option>
      {[...names].map((name) => <option key={name} value={name}>{name}</option>)}
    </Select>
  )
}
