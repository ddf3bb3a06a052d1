import { useQuery } from '@tanstack/react-query'
import { FileSearch, X } from 'lucide-react'
import { useId, useState } from 'react'
import { findReferences } from '../../api/references.ts'
import { messageOf } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { findByTitle, shortIdIn, titleOf } from './find-references.ts'
import type { ReferencesQuery } from './use-references.ts'

const maxShown = 8
/** The newest references, shown before a search. */
const maxSuggested = 5

/** Chooses references by title or, if no title matches, by their description and SQL. */
export function ReferencePicker(props: {
  label: string
  hint?: string
  /** How many may be chosen. */
  max: number
  chosen: string[]
  references: ReferencesQuery
  fault: string | undefined
  onChange(chosen: string[]): void
}) {
  const { label, hint, max, chosen, references, fault } = props
  const id = useId()
  const [search, setSearch] = useState('')
  const found = useFound(references, search, chosen)
  const add = (shortId: string) => {
    props.onChange([...chosen, shortId])
    setSearch('')
  }
  return (
    <div
      role="group"
      aria-labelledby={id}
      aria-describedby={fault === undefined ? undefined : `${id}-fault`}
      className={`field grid gap-1.5 ${fault === undefined ? '' : 'faulty'}`}
    >
      <div>
        <span className="text-xs font-medium" id={id}>{label}</span>
        {hint !== undefined && <p className="text-xs text-soft">{hint}</p>}
      </div>
      <Chosen {...{ chosen, references }} onRemove={(shortId) => props.onChange(chosen.filter((other) => other !== shortId))} />
      {chosen.length < max && (
        <>
          <TextInput
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            // Enter adds the first result instead of submitting the form.
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              const first = search.trim() !== '' && found.items[0]
              if (first) add(first.shortId)
            }}
            placeholder={`${chosen.length > 0 ? 'Search for another' : 'Search'} by title, or paste a permalink`}
            aria-label={`${label}: search`}
            aria-invalid={fault !== undefined || undefined}
            autoComplete="off"
          />
          {(chosen.length === 0 || search !== '') && <Found {...{ found, search, chosen }} onChoose={add} />}
        </>
      )}
      {fault !== undefined && <p id={`${id}-fault`} className="text-xs text-danger" role="alert">{fault}</p>}
    </div>
  )
}

function Chosen(props: { chosen: string[]; references: ReferencesQuery; onRemove(shortId: string): void }) {
  if (props.chosen.length === 0) return null
  return (
    <ul className="grid gap-1.5">
      {props.chosen.map((shortId) => {
        const title = titleOf(props.references.data, shortId)
        return (
          <li key={shortId} className="flex items-center gap-2 rounded-md bg-accent-wash py-0.5 pr-0.5 pl-2.5">
            <FileSearch className="size-4 shrink-0 text-accent" aria-hidden="true" />
            <span className="mr-auto min-w-0 [overflow-wrap:anywhere]">{title}</span>
            <IconButton label={`Remove ${title}`} icon={<X />} className="size-7" onClick={() => props.onRemove(shortId)} />
          </li>
        )
      })}
    </ul>
  )
}

interface FoundReferences {
  items: { shortId: string; title: string }[]
  isLoading: boolean
  error: unknown
}

const settleMs = 200

/** Searches titles locally. If none matches, the server searches descriptions and SQL too. */
function useFound(references: ReferencesQuery, search: string, chosen: string[]): FoundReferences {
  const isFree = ({ shortId }: { shortId: string }) => !chosen.includes(shortId)
  const byTitle = findByTitle(references.data ?? [], search).filter(isFree)
  const settled = useDebounced(search.trim(), settleMs)
  const isWanted = settled !== '' && byTitle.length === 0 && !references.isPending && shortIdIn(settled) === undefined
  const elsewhere = useQuery({
    queryKey: ['references', 'found', settled],
    queryFn: ({ signal }) => findReferences({ search: settled, limit: maxShown, signal }),
    enabled: isWanted,
  })
  const items = byTitle.length > 0 || !isWanted ? byTitle : (elsewhere.data?.items ?? []).filter(isFree)
  return { items, isLoading: references.isPending || elsewhere.isLoading, error: references.error ?? elsewhere.error }
}

function Found(props: { found: FoundReferences; search: string; chosen: string[]; onChoose(shortId: string): void }) {
  const { found, search, chosen } = props
  const { items } = found
  const max = search.trim() === '' ? maxSuggested : maxShown
  if (items.length === 0 && found.isLoading) return <p className="text-xs text-soft">Loading queries…</p>
  if (items.length === 0 && found.error) return <p className="text-xs text-danger" role="alert">{messageOf(found.error)}</p>
  const pasted = shortIdIn(search)
  if (items.length === 0 && pasted !== undefined && !chosen.includes(pasted)) {
    return <Button className="justify-self-start" onClick={() => props.onChoose(pasted)}>Add {pasted}</Button>
  }
  if (items.length === 0) return <p className="text-xs text-soft" role="status">No results</p>
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
      {items.slice(0, max).map(({ shortId, title }) => (
        <li key={shortId}>
          <button
            type="button"
            className="w-full px-2.5 py-1.5 text-left hover:bg-raised focus-visible:-outline-offset-2"
            onClick={() => props.onChoose(shortId)}
          >
            {title}
          </button>
        </li>
      ))}
      {items.length > max && (
        <li className="px-2.5 py-1.5 text-xs text-soft">{items.length - max} more. Search to find them.</li>
      )}
    </ul>
  )
}
