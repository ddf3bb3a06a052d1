/** Prints figures of a run. */
export function report(what: string, figures: Record<string, number>): void {
  const list = Object.entries(figures).map(([name, figure]) => `${name} ${Math.round(figure)}`)
  process.stdout.write(`${what}: ${list.join(', ')}\n`)
}

/** Prints a Markdown table. */
export function reportTable(title: string, columns: string[], rows: (string | number)[][]): void {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  process.stdout.write(`${title}\n\n${lines.join('\n')}\n`)
}
