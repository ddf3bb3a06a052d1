import { useQuery } from '@tanstack/react-query'
import { LoaderCircle, Search } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import type { ReferenceFilters } from '../../api/references.ts'
import { Field } from '../../ui/field.tsx'
import { Choice, Select, TextInput } from '../../ui/inputs.tsx'

interface FilterBarProps {
  filters: ReferenceFilters
  /** The text in the search box, which may be ahead of the filters. */
  text: string
  search: RefObject<HTMLInputElement | null>
  isBusy: boolean
  onText(text: string): void
  onChange(changes: Partial<ReferenceFilters>): void
  onKeyDown(event: KeyboardEvent): void
}

export function FilterBar({ filters, text, search, isBusy, onText, onChange, onKeyDown }: FilterBarProps) {
  return (
    <search className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Field label="Search queries" isLabelHidden className="relative min-w-56 grow basis-80">
        <span className="pointer-events-none absolute top-0 left-2.5 grid h-8.5 items-center text-soft [&_svg]:size-4" aria-hidden="true">
          {isBusy ? <LoaderCircle className="animate-spin" /> : <Search />}
        </span>
        <TextInput
          ref={search}
          type="search"
          className="pl-8.5"
          placeholder="Search titles, descriptions and SQL"
          aria-keyshortcuts="/"
          maxLength={200}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {text === '' && (
          <kbd className="pointer-events-none absolute top-1.5 right-2 hidden rounded border border-line bg-raised px-1.5 font-mono text-xs leading-5 text-soft sm:block" aria-hidden="true">/</kbd>
        )}
      </Field>
      <DatabaseFilter value={filters.database} onChange={(database) => onChange({ database })} />
      <Choice label="Only mine" checked={filters.isMine} onChange={(event) => onChange({ isMine: event.target.checked })} />
    </search>
  )
}

/** Hidden if there is only one database, unless the URL names another. */
function DatabaseFilter({ value, onChange }: { value: string; onChange(id: string): void }) {
  const { data: databases = [] } = useQuery(databasesOptions())
  if (databases.length < 2 && value === '') return null
  const isUnknown = value !== '' && !databases.some(({ id }) => id === value)
  return (
    <Field label="Database" isLabelHidden className="max-w-60">
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">All databases</option>
        {databases.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        {isUnknown && <option value={value}>Unknown database</option>}
      </Select>
    </Field>
  )
}
