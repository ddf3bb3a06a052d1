import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { codeOfNumber } from './countries.ts'
import { cutAtDateLine } from './date-line.ts'

export { worldMapName } from './world-map-name.ts'

type WorldTopology = Topology<{ countries: GeometryCollection<{ name: string }> }>

/** The shapes of countries as GeoJSON, named by their code. Antarctica is left out: it would take a fifth of the map. */
export function worldShapes(topology: unknown) {
  const { countries } = (topology as WorldTopology).objects
  const shapes = feature(topology as WorldTopology, countries)
  return {
    type: 'FeatureCollection' as const,
    features: shapes.features
      .filter(({ id }) => id !== '010')
      .map((each) => ({
        type: 'Feature' as const,
        geometry: cutAtDateLine(each.geometry),
        properties: { name: codeOf(each) ?? each.properties.name },
      })),
  }
}

/** Kosovo has a shape, but no number. */
const codeOf = ({ id, properties }: { id?: string | number | undefined; properties: { name: string } }) =>
  properties.name === 'Kosovo' ? 'XK' : codeOfNumber.get(String(id))
