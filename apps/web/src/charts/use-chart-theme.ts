import { isHexColor } from '@querypost/visualization'
import { type ChartTheme, darkTheme, lightTheme, withPalette } from '@querypost/visualization/draw'
import { useContext, useMemo, useSyncExternalStore } from 'react'
import { ChartPalette } from './chart-palette.ts'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

function subscribe(onChange: () => void): () => void {
  prefersDark.addEventListener('change', onChange)
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'style'] })
  return () => {
    prefersDark.removeEventListener('change', onChange)
    observer.disconnect()
  }
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme']
  return chosen === undefined ? prefersDark.matches : chosen === 'dark'
}

/** The colors that the site of an embedded page has set, see `embed-theme.ts`. */
function ownColors(): Partial<ChartTheme> {
  const { style } = document.documentElement
  const colors = { ink: '--ink', soft: '--ink-soft', line: '--line', surface: '--surface' }
  const set = Object.entries(colors).map(([name, variable]) => [name, style.getPropertyValue(variable)] as const)
  return Object.fromEntries(set.filter(([, color]) => isHexColor(color)))
}

const ownStyle = () => document.documentElement.style.cssText

/** The colors of charts, which follow the page's theme. */
export function useChartTheme(): ChartTheme {
  const dark = useSyncExternalStore(subscribe, isDark)
  const style = useSyncExternalStore(subscribe, ownStyle)
  const palette = useContext(ChartPalette)
  return useMemo(() => {
    const { fontFamily } = getComputedStyle(document.body)
    const own = style === '' ? {} : ownColors()
    return withPalette({ ...(dark ? darkTheme : lightTheme), ...own, fontFamily }, palette)
  }, [dark, palette, style])
}
