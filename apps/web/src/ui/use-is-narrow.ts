import { useSyncExternalStore } from 'react'

/** Below Tailwind's `sm` breakpoint. */
const narrowScreen = '(max-width: 639.98px)'

/** Whether the page is as narrow as a phone. For layouts whose order differs; where CSS is enough, use `sm:` instead. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(narrowScreen).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(narrowScreen)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
