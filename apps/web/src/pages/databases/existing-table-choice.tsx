import type { Table } from '../../api/databases.ts'
import { Choice } from '../../ui/inputs.tsx'
import type { FileImport, ImportAction } from './imports.ts'

const choices = [
  { value: 'replace', label: 'Replace', hint: 'This replaces the existing table and its data.' },
  { value: 'append', label: 'Append to', hint: 'Adds the rows of the file. Its columns must match.' },
  { value: 'upsert', label: 'Update', hint: 'Replaces rows with the same key, and adds the others.' },
] as const

/** What happens to the rows of a table that exists. */
export function ExistingTableChoice(props: { one: FileImport; table: Table | undefined; dispatch(action: ImportAction): void }) {
  const { one: { id, tableName, ifExists, keys }, table, dispatch } = props
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-xs font-medium">This table exists</legend>
      {choices.map(({ value, label, hint }) => (
        <Choice
          key={value}
          type="radio"
          name={`if-exists-${id}`}
          label={`${label} the table ${tableName}`}
          hint={hint}
          checked={ifExists === value}
          onChange={() => dispatch({ type: 'change', id, ifExists: value })}
        />
      ))}
      {ifExists === 'upsert' && table && (
        <fieldset className="ml-6.5 flex flex-wrap gap-x-4 gap-y-1.5">
          <legend className="mb-1 text-xs text-soft">Key columns, which identify a row</legend>
          {table.columns.map(({ name }) => (
            <Choice
              key={name}
              label={name}
              checked={keys.includes(name)}
              onChange={(event) =>
                dispatch({ type: 'change', id, keys: event.target.checked ? [...keys, name] : keys.filter((each) => each !== name) })
              }
            />
          ))}
        </fieldset>
      )}
    </fieldset>
  )
}
