import type { KeyboardEvent, RefObject } from 'react'
import { useHotkey } from '../../ui/use-hotkey.ts'

/**
 * Moves through the rows of a list by keyboard: `j` and `k` from anywhere, arrow keys from the search box and from a row. Rows
 * are links, so Enter opens the focused one; moving up from the first row focuses the search box.
 */
export function useRowKeys({ list, search }: { list: RefObject<HTMLElement | null>; search: RefObject<HTMLElement | null> }) {
  function move(by: 1 | -1): void {
    const rows = [...(list.current?.querySelectorAll('a') ?? [])]
    const current = rows.indexOf(document.activeElement as HTMLAnchorElement)
    if (by === -1 && current <= 0) return search.current?.focus()
    rows[Math.min(current + by, rows.length - 1)]?.focus()
  }
  useHotkey('j', () => move(1))
  useHotkey('k', () => move(-1))
  return (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    move(by)
  }
}
