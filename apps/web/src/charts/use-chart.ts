import { type ChartElement, ChartFault, parseJsxConfig } from '@querypost/visualization'
import { useMemo } from 'react'

export type ReadChart = { element: ChartElement; fault: null } | { element: null; fault: ChartFault }

/** Parses and validates on every draw, without trusting the validation done on saving. */
export const useChart = (jsxConfig: string): ReadChart => useMemo(() => readChart(jsxConfig), [jsxConfig])

export function readChart(jsxConfig: string): ReadChart {
  try {
    return { element: parseJsxConfig(jsxConfig), fault: null }
  } catch (error) {
    if (error instanceof ChartFault) return { element: null, fault: error }
    throw error
  }
}
