import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReferenceFilters } from '../../api/references.ts'
import { navigate } from '../../location.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { addressOf, filtersIn, noFilters } from './filters.ts'
import { useLocation } from '../../use-location.ts'

const settleMs = 200

/**
 * The filters from the URL, and the search text as it is typed, which is written to the URL once typing pauses. If the URL
 * changes otherwise, by the back button or a link, the text follows.
 */
export function useFilters() {
  const filters = filtersIn(useLocation())
  const [text, setText] = useState(filters.search)
  const settled = useDebounced(text, settleMs)
  const written = useRef(filters.search)

  function change(changes: Partial<ReferenceFilters>): void {
    const next = { ...filters, search: text, ...changes }
    written.current = next.search
    setText(next.search)
    navigate(addressOf(next), { replace: true })
  }

  const write = useEffectEvent((search: string) => {
    if (search === text && search !== filters.search) change({ search })
  })
  useEffect(() => write(settled), [settled])

  const follow = useEffectEvent((search: string) => {
    // The URL omits surrounding blanks; keep those the user is typing.
    if (search.trim() === written.current.trim()) return
    written.current = search
    setText(search)
  })
  useEffect(() => follow(filters.search), [filters.search])

  return { filters, text, setText, change, clear: () => change(noFilters) }
}
