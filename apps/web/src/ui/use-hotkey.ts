import { useEffect, useEffectEvent } from 'react'

/**
 * A keyboard shortcut for the whole page, such as `/` or `mod+k` (Command on a Mac, Control elsewhere). It is inactive while a
 * dialog or a menu is open and, without `mod`, while the focus is in an input.
 */
export function useHotkey(key: string, act: (event: KeyboardEvent) => void, isEnabled = true): void {
  const withMod = key.startsWith('mod+')
  const expectedKey = withMod ? key.slice(4) : key
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.key.toLowerCase() !== expectedKey.toLowerCase()) return
    if (withMod !== (event.metaKey || event.ctrlKey) || event.altKey) return
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return
    if (!withMod && isTyping(event.target)) return
    event.preventDefault()
    act(event)
  })
  useEffect(() => {
    if (!isEnabled) return
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [isEnabled])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
