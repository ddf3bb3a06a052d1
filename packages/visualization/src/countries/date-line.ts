import type { Geometry, Position } from 'geojson'

/**
 * The shapes are made for a globe, where Russia and Fiji are in one piece. On a flat map they cross its edge, and a line would run
 * across the whole map. So rings that cross the edge are cut in two.
 */
export function cutAtDateLine(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') return { type: 'MultiPolygon', coordinates: cutPolygon(geometry.coordinates) }
  if (geometry.type !== 'MultiPolygon') return geometry
  return { type: 'MultiPolygon', coordinates: geometry.coordinates.flatMap(cutPolygon) }
}

function cutPolygon(rings: Position[][]): Position[][][] {
  if (!rings.some(crossesDateLine)) return [rings]
  const whole = rings.map(unrolled)
  const east = whole.map((ring) => clipped(ring, (longitude) => longitude <= 180)).filter((ring) => ring.length > 3)
  const west = whole.map((ring) => clipped(ring, (longitude) => longitude >= 180)).filter((ring) => ring.length > 3)
  const moved = west.map((ring) => ring.map(([longitude, latitude]) => [longitude! - 360, latitude!]))
  return [east, moved].filter((polygon) => polygon.length > 0)
}

const crossesDateLine = (ring: Position[]) => ring.some(([longitude], at) => at > 0 && Math.abs(longitude! - ring[at - 1]![0]!) > 180)

/** Longitudes west of the line continue beyond 180°. */
const unrolled = (ring: Position[]): Position[] => ring.map(([longitude, latitude]) => [longitude! < 0 ? longitude! + 360 : longitude!, latitude!])

/** The part of a ring on one side of 180° (Sutherland and Hodgman, 1974). */
function clipped(ring: Position[], isInside: (longitude: number) => boolean): Position[] {
  const kept = ring.flatMap((point, at): Position[] => {
    const previous = ring[at === 0 ? ring.length - 1 : at - 1]!
    const [isIn, wasIn] = [isInside(point[0]!), isInside(previous[0]!)]
    const crossing = isIn === wasIn ? [] : [crossingOf(previous, point)]
    return isIn ? [...crossing, point] : crossing
  })
  return kept.length === 0 ? [] : [...kept, kept[0]!]
}

function crossingOf([fromLongitude, fromLatitude]: Position, [toLongitude, toLatitude]: Position): Position {
  const share = (180 - fromLongitude!) / (toLongitude! - fromLongitude!)
  return [180, fromLatitude! + share * (toLatitude! - fromLatitude!)]
}
