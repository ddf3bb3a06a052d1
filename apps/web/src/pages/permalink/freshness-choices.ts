const usual: { seconds: number | null; label: string }[] = [
  { seconds: null, label: 'As long as they are stored' },
  { seconds: 300, label: '5 minutes' },
  { seconds: 900, label: '15 minutes' },
  { seconds: 3600, label: '1 hour' },
  { seconds: 6 * 3600, label: '6 hours' },
  { seconds: 24 * 3600, label: '1 day' },
]

/** The usual limits, and the current one if a program has chosen another. */
export function freshnessChoices(current: number | null): typeof usual {
  if (usual.some(({ seconds }) => seconds === current)) return usual
  return [...usual, { seconds: current, label: `${current} seconds` }]
}
