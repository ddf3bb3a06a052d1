/** A point of the drawing, in its units. */
type Point = [x: number, y: number]

/** Draws values from left to right, the lowest at the bottom, as the path of an SVG. A gap interrupts the line. */
export function drawSparkline(
  values: readonly (number | null)[],
  box: { width: number; height: number; margin: number },
): { path: string; last: Point | null } {
  const { width, height, margin } = box
  const known = values.filter((value) => value !== null)
  const [lowest, highest] = [Math.min(...known), Math.max(...known)]
  const xOf = (at: number) => margin + (values.length > 1 ? at / (values.length - 1) : 1) * (width - 2 * margin)
  // A constant value is a line in the middle.
  const yOf = (value: number) => height - margin - (highest > lowest ? (value - lowest) / (highest - lowest) : 0.5) * (height - 2 * margin)
  const points = values.map((value, at): Point | null => (value === null ? null : [rounded(xOf(at)), rounded(yOf(value))]))
  const steps = points.map((point, at) => point && `${at > 0 && points[at - 1] ? 'L' : 'M'}${point.join(' ')}`)
  return { path: steps.filter((step) => step !== null).join(''), last: points.findLast((point) => point !== null) ?? null }
}

const rounded = (value: number) => Math.round(value * 10) / 10
