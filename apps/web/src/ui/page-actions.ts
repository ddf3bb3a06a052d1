import { useEffect, useEffectEvent, useId, useSyncExternalStore } from 'react'

/** Something that the command menu can do on the current page. */
export interface PageAction {
  title: string
  act(): void
}

/** The actions of the mounted components, by component. */
let actionsOf: ReadonlyMap<string, readonly PageAction[]> = new Map()
const listeners = new Set<() => void>()

function change(next: ReadonlyMap<string, readonly PageAction[]>): void {
  actionsOf = next
  for (const listener of listeners) listener()
}

/** Offers an action in the command menu while the component is mounted. */
export function usePageAction(title: string, act: () => void, isEnabled = true): void {
  const id = useId()
  const run = useEffectEvent(act)
  useEffect(() => {
    if (!isEnabled) return
    change(new Map([...actionsOf, [id, [{ title, act: () => run() }]]]))
    return () => change(new Map([...actionsOf].filter(([key]) => key !== id)))
  }, [id, title, isEnabled])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function usePageActions(): PageAction[] {
  return [...useSyncExternalStore(subscribe, () => actionsOf).values()].flat()
}
