import { useId, useState } from 'react'
import { messageOf } from '../../api/request.ts'
import type { Reference } from '../../api/references.ts'
import type { Loaded } from '../../api/use-loaded.ts'
import { Button } from '../../ui/button.tsx'
import { findReferences, shortIdIn, titleOf } from './use-references.ts'

const mostShown = 8

/** Chooses among the organization's references by searching in their titles. */
export function ReferencePicker(props: {
  label: string
  /** How many may be chosen. */
  most: number
  chosen: string[]
  references: Loaded<Reference[]>
  fault: string | undefined
  onChange(chosen: string[]): void
}) {
  const { label, most, chosen, references, fault } = props
  const id = useId()
  const [search, setSearch] = useState('')
  const add = (shortId: string) => {
    props.onChange([...chosen, shortId])
    setSearch('')
  }
  return (
    <div className={fault === undefined ? 'field picker' : 'field picker faulty'} role="group" aria-labelledby={id}>
      <span className="label" id={id}>{label}</span>
      {chosen.length > 0 && (
        <ul className="chosen">
          {chosen.map((shortId) => (
            <li key={shortId}>
              <span>{titleOf(references, shortId)}</span>
              <Button
                onClick={() => props.onChange(chosen.filter((other) => other !== shortId))}
                aria-label={`Remove ${titleOf(references, shortId)}`}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {chosen.length < most && (
        <>
          <input
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            // Enter would send the whole form; here it takes what the search found first.
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              const first = search.trim() !== '' && found(references, search, chosen)[0]
              if (first) add(first.shortId)
            }}
            placeholder={`${chosen.length > 0 ? 'Add another: search' : 'Search'} by title, or paste a permalink`}
            aria-label={`${label}: search`}
            autoComplete="off"
          />
          {(chosen.length === 0 || search !== '') && (
            <Found references={references} search={search} chosen={chosen} onChoose={add} />
          )}
        </>
      )}
      {fault !== undefined && <span className="fault small" role="alert">{fault}</span>}
    </div>
  )
}

function found(references: Loaded<Reference[]>, search: string, chosen: string[]): Reference[] {
  if (references.status !== 'ready') return []
  return findReferences(references.value, search).filter(({ shortId }) => !chosen.includes(shortId))
}

function Found(props: { references: Loaded<Reference[]>; search: string; chosen: string[]; onChoose(shortId: string): void }) {
  const { references, search, chosen } = props
  if (references.status === 'loading') return <span className="soft small">Loading the queries …</span>
  if (references.status === 'failed') return <span className="fault small">{messageOf(references.error)}</span>
  const items = found(references, search, chosen)
  const pasted = shortIdIn(search)
  if (items.length === 0 && pasted !== undefined && !chosen.includes(pasted)) {
    return <Button onClick={() => props.onChoose(pasted)}>Take {pasted}</Button>
  }
  if (items.length === 0) return <span className="soft small">No other query has these words in its title.</span>
  return (
    <ul className="found">
      {items.slice(0, mostShown).map(({ shortId, title }) => (
        <li key={shortId}>
          <button type="button" onClick={() => props.onChoose(shortId)}>{title}</button>
        </li>
      ))}
      {items.length > mostShown && <li className="soft small">and {items.length - mostShown} more: search to find them</li>}
    </ul>
  )
}
