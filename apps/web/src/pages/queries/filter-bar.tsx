import { useQuery } from '@tanstack/react-query'
import { LoaderCircle, Search } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { tagsOptions } from '../../api/items.ts'
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
      <TagFilter value={filters.tag} onChange={(tag) => onChange({ tag })} />
      <Choice label="Favorites" checked={filters.isFavorite} onChange={(event) => onChange({ isFavorite: event.target.checked })} />
      <Choice label="Only mine" checked={filters.isMine} onChange={(event) => onChange({ isMine: event.target.checked })} />
    </search>
  )
}

/** Hidden until somebody uses a tag. */
function TagFilter({ value, onChange }: { value: string; onChange(tag: string): void }) {
  const { data: tags = [] } = useQuery(tagsOptions)
  if (tags.length === 0 && value === '') return null
  const isUnknown = value !== '' && !tags.some(({ tag }) => tag === value)
  return (
    <Field label="Tag" isLabelHidden className="max-w-60">
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">All tags</option>
        {tags.map(({ tag }) => <option key={tag} value={tag}>{tag}</option>)}
        {isUnknown && <option value={value}>{value}</option>}
      </Select>
    </Field>
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
