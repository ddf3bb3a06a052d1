import type { ReferenceVersion } from '../../../api/references.ts'

/** What changed with a version of a query, in short sentences. */
export function describeVersion({ number, title, changedParts }: Pick<ReferenceVersion, 'number' | 'title' | 'changedParts'>): string[] {
  if (number === 1) return ['Created the query']
  const sentences: Record<ReferenceVersion['changedParts'][number], string> = {
    title: `Renamed to “${title}”`,
    description: 'Changed the description',
    sql: 'Changed the SQL',
    visualization: 'Changed the chart',
    parameters: 'Changed the parameters',
    folder: 'Moved to another folder',
  }
  return changedParts.map((part) => sentences[part])
}
