import { useId, useState } from 'react'
import type { ParameterDefinition } from '../api/references.ts'
import { Select, TextInput } from '../ui/inputs.tsx'
import { OptionsNote } from './options-note.tsx'
import { useOptions } from './use-options.ts'
import type { Values } from './values.ts'

/** One of a parameter's options. A text field with suggestions if there are too many to list, or if they could not be read. */
export function OptionInput(props: { definition: ParameterDefinition; values: Values; value: string; onChange(value: string): void }) {
  const { definition, values, value, onChange } = props
  const { name, type } = definition
  const [search, setSearch] = useState('')
  const listId = useId()
  const found = useOptions(definition, values, search)
  const { options, isComplete, isLoading, problem } = found
  if (problem !== undefined || !isComplete || search !== '') {
    return (
      <>
        <TextInput
          name={name}
          value={value}
          list={listId}
          autoComplete="off"
          placeholder={problem === undefined ? 'Type to search' : undefined}
          onChange={(event) => {
            setSearch(event.target.value)
            onChange(event.target.value)
          }}
        />
        <datalist id={listId}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>{option.label}</option>
          ))}
        </datalist>
        <OptionsNote found={found} />
      </>
    )
  }
  const isKnown = options.some((option) => option.value === value)
  return (
    <>
      <Select name={name} value={value} onChange={(event) => onChange(event.target.value)}>
        {/* A value from a link or a default need not be an option. */}
        {!isKnown && <option value={value}>{value || (isLoading ? 'Loading…' : type === 'text' ? 'None' : 'Choose…')}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>{option.label}</option>
        ))}
      </Select>
      <OptionsNote found={found} />
    </>
  )
}
