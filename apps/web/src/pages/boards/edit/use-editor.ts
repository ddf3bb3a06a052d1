import { useEffect, useEffectEvent, useState } from 'react'
import type { BoardContent } from '../content/board-content.ts'
import { areEqual } from '../content/describe-changes.ts'
import { canRedo, canUndo, record, redo, startHistory, undo } from '../content/edit-history.ts'

export type ChangeContent = (change: (now: BoardContent) => BoardContent, series?: string) => void

/** The content of a board while it is edited, with undo and redo, also by keyboard. */
export function useEditor(initial: BoardContent, { isNew }: { isNew: boolean }) {
  const [history, setHistory] = useState(() => startHistory(initial))
  const change: ChangeContent = (make, series) => setHistory((now) => record(now, make(now.present), series))
  const goBack = () => setHistory(undo)
  const goForward = () => setHistory(redo)
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !(event.metaKey || event.ctrlKey) || event.altKey) return
    // In a text field, the keys undo typing.
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [role="dialog"]')) return
    const key = event.key.toLowerCase()
    if (key !== 'z' && key !== 'y') return
    event.preventDefault()
    if (key === 'y' || event.shiftKey) goForward()
    else goBack()
  })
  useEffect(() => {
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
  return {
    content: history.present,
    change,
    undo: goBack,
    redo: goForward,
    canUndo: canUndo(history),
    canRedo: canRedo(history),
    isChanged: isNew ? history.present.tiles.length > 0 || canUndo(history) : !areEqual(history.present, initial),
  }
}
