import { createContext } from 'react'

/** The organization's own colors of charts; null for the default ones. */
export const ChartPalette = createContext<readonly string[] | null>(null)
