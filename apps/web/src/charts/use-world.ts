import type { PreparedChart } from '@querypost/visualization'
import { echarts } from '@querypost/visualization/draw'
import { use } from 'react'

let registered: Promise<void> | null = null

/** The shapes of countries, loaded with the first map. */
async function registerWorld(): Promise<void> {
  const [{ default: topology }, { worldMapName, worldShapes }] = await Promise.all([
    import('world-atlas/countries-110m.json'),
    import('@querypost/visualization/world'),
  ])
  echarts.registerMap(worldMapName, worldShapes(topology) as Parameters<typeof echarts.registerMap>[1])
}

/** Waits until the shapes that a map needs are there. */
export function useWorld({ shape }: PreparedChart): void {
  if (shape.kind !== 'map') return
  registered ??= registerWorld()
  use(registered)
}
