import { useSyncExternalStore } from 'react'

/** Below Tailwind's `sm` breakpoint. */
const narrowScreen = '(max-width: 639.98px)'
/** From Tailwind's `xl` breakpoint on. */
const wideScreen = '(min-width: 1280px)'

/** Whether the page is as narrow as a phone. For layouts whose order differs; where CSS is enough, use `sm:` instead. */
export const useIsNarrow = (): boolean => useMatches(narrowScreen)

/** Whether the page has room for a panel beside its content. */
export const useIsWide = (): boolean => useMatches(wideScreen)

function useMatches(media: string): boolean {
  return useSyncExternalStore(subscriptions[media]!, () => window.matchMedia(media).matches)
}

/** One function for each, because React subscribes again whenever it gets another one. */
const subscriptions = Object.fromEntries(
  [narrowScreen, wideScreen].map((media) => [
    media,
    (onChange: () => void) => {
      const query = window.matchMedia(media)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
  ]),
)
