/**
 * Measures all candidates once per round, in alternating order, so that other load on the machine affects them equally. Compare the
 * ratios, not the absolute figures. The first round is a warm-up and does not count.
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
