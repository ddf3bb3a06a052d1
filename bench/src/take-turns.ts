/**
 * Lets the contestants take turns, once a round, every other round in the opposite order: whatever else the machine does
 * then falls on all of them alike, and only their ratio is worth reading. The first round warms up and does not count.
 */
export async function takeTurns<Name extends string, Figure>(
  rounds: number,
  contestants: Record<Name, () => Promise<Figure>>,
): Promise<Record<Name, Figure[]>> {
  const names = Object.keys(contestants) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Figure[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figure = await contestants[name]()
      if (round > 0) figures[name].push(figure)
    }
  }
  return figures
}
