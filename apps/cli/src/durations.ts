/** `2 hours 5 minutes`: the two largest units of a duration. */
export function formatDuration(seconds: number): string {
  const units = [
    { name: 'day', seconds: 86_400 },
    { name: 'hour', seconds: 3600 },
    { name: 'minute', seconds: 60 },
    { name: 'second', seconds: 1 },
  ]
  let rest = Math.round(seconds)
  const first = units.findIndex((unit) => rest >= unit.seconds)
  if (first === -1) return '0 seconds'
  const parts = units.slice(first, first + 2).flatMap((unit) => {
    const count = Math.floor(rest / unit.seconds)
    rest -= count * unit.seconds
    return count === 0 ? [] : [`${count} ${unit.name}${count === 1 ? '' : 's'}`]
  })
  return parts.join(' ')
}
