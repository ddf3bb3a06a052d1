import { useSession } from '../api/session.ts'

/** The organization's own colors of charts; null for the default ones. */
export const usePalette = (): readonly string[] | null => useSession().organization.chartPalette
