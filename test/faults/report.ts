/** Figures of a run, for whoever watches it. */
export function report(what: string, figures: Record<string, number>): void {
  const list = Object.entries(figures).map(([name, figure]) => `${name} ${Math.round(figure)}`)
  process.stdout.write(`${what}: ${list.join(', ')}\n`)
}
