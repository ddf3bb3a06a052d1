/**
 * The differences in shape between a documented response and a real one. Objects must have the same keys, lists only entries like the
 * documented ones, and other values the same type. The values themselves may differ.
 */
export function shapeDifferences(documented: unknown, real: unknown, place = ''): string[] {
  const kinds = [kindOf(documented), kindOf(real)]
  if (kinds[0] !== kinds[1]) return [`${place || '/'} is documented as ${kinds[0]} and is ${kinds[1]}`]
  if (Array.isArray(documented) && Array.isArray(real)) {
    return real.flatMap((entry, index) => {
      const tries = documented.map((shown) => shapeDifferences(shown, entry, `${place}/${index}`))
      if (tries.some((differences) => differences.length === 0)) return []
      return tries[0] ?? [`${place}/${index} is there, and the documented list is empty`]
    })
  }
  if (kinds[0] !== 'object') return []
  const [shown, given] = [documented as Record<string, unknown>, real as Record<string, unknown>]
  const keys = new Set([...Object.keys(shown), ...Object.keys(given)])
  return [...keys].flatMap((key) => {
    const at = `${place}/${key}`
    if (!Object.hasOwn(given, key)) return [`${at} is documented and not there`]
    if (!Object.hasOwn(shown, key)) return [`${at} is there and not documented`]
    return shapeDifferences(shown[key], given[key], at)
  })
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
