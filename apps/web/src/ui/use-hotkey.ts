import { useEffect, useEffectEvent } from 'react'

/**
 * A key for the whole page, such as `/` or `mod+k` (Command on a Mac, Control elsewhere). It is left alone
 * while a dialog or a menu is open and, without `mod`, while somebody types.
 */
export function useHotkey(key: string, act: (event: KeyboardEvent) => void, isWanted = true): void {
  const withMod = key.startsWith('mod+')
  const wanted = withMod ? key.slice(4) : key
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.key.toLowerCase() !== wanted.toLowerCase()) return
    if (withMod !== (event.metaKey || event.ctrlKey) || event.altKey) return
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return
    if (!withMod && isTyping(event.target)) return
    event.preventDefault()
    act(event)
  })
  useEffect(() => {
    if (!isWanted) return
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isWanted])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
