import type { ExplainedChange } from './explain-change.ts'

/** Contributions that a description names; the others are added up. */
const namedMax = 5

/** The explanation as lines of text, for models and logs: one fact a line, every number exact. */
export function describeExplanation({ measures, steps, sql, parameters }: ExplainedChange): string[] {
  const lines: string[] = []
  if (sql) lines.push('The SQL changed.')
  for (const { name, before, after } of parameters) lines.push(`The parameter ${name} changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}.`)
  if (measures.length === 0) lines.push('No column of both results can be added up.')
  for (const measure of measures) {
    const name = measure.denominator === null ? measure.column : `${measure.column} / ${measure.denominator}`
    lines.push(`${name}: ${measure.before} → ${measure.after}, difference ${measure.difference}`)
    for (const { causes, difference } of measure.parts) lines.push(`  ${causesText(causes)}: ${difference}`)
    for (const { causes, from, to, ...step } of steps) {
      const change = step.measures.find(({ column }) => column === measure.column)
      if (!change || change.difference === '0') continue
      lines.push(`  from ${from.at.toISOString()} to ${to.at.toISOString()} (${causesText(causes)}): ${change.difference}`)
      const { added, removed, changed } = change.rows
      lines.push(`    rows added ${step.added}: ${added}; removed ${step.removed}: ${removed}; changed ${step.changed}: ${changed}`)
      for (const { columns, contributions, rest } of change.breakdowns) {
        if (contributions.length === 0) continue
        const named = contributions.slice(0, namedMax).map(({ values, difference }) => `${JSON.stringify(values.length === 1 ? values[0] : values)} ${difference}`)
        const others = contributions.length - named.length + rest.count
        lines.push(`    by ${columns.join(', ')}: ${named.join('; ')}${others > 0 ? `; and ${others} more` : ''}`)
      }
    }
  }
  return lines
}

const causesText = (causes: string[]) => (causes.length === 1 ? causes[0]! : `${causes.join(' and ')}, which cannot be separated`)
