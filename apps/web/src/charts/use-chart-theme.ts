import { type ChartTheme, darkTheme, lightTheme, withPalette } from '@querypost/visualization/draw'
import { useContext, useMemo, useSyncExternalStore } from 'react'
import { ChartPalette } from './chart-palette.ts'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

function subscribe(onChange: () => void): () => void {
  prefersDark.addEventListener('change', onChange)
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    prefersDark.removeEventListener('change', onChange)
    observer.disconnect()
  }
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme']
  return chosen === undefined ? prefersDark.matches : chosen === 'dark'
}

/** The colors of charts, which follow the page's theme. */
export function useChartTheme(): ChartTheme {
  const dark = useSyncExternalStore(subscribe, isDark)
  const palette = useContext(ChartPalette)
  return useMemo(() => {
    const { fontFamily } = getComputedStyle(document.body)
    return withPalette({ ...(dark ? darkTheme : lightTheme), fontFamily }, palette)
  }, [dark, palette])
}
