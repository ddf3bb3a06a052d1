import type { GivenMetric, Metric } from '../../api/knowledge.ts'

/** A metric as it is being edited: every field is text. */
export interface MetricDraft {
  name: string
  unit: string
  description: string
  /** Separated by commas. */
  synonyms: string
  kind: 'sql' | 'reference'
  databaseId: string
  sql: string
  /** A short id, or a link that contains one. */
  shortId: string
  ownerId: string
}

export function metricDraft(metric: Metric | undefined): MetricDraft {
  const definition = metric?.definition
  return {
    name: metric?.name ?? '',
    unit: metric?.unit ?? '',
    description: metric?.description ?? '',
    synonyms: metric?.synonyms.join(', ') ?? '',
    kind: definition?.kind ?? 'sql',
    databaseId: definition?.kind === 'sql' ? definition.databaseId : '',
    sql: definition?.kind === 'sql' ? definition.sql : '',
    shortId: definition?.kind === 'reference' ? definition.shortId : '',
    ownerId: metric?.ownerId ?? '',
  }
}

export function givenMetric(draft: MetricDraft): Required<GivenMetric> {
  const { kind, databaseId, sql, shortId } = draft
  return {
    name: draft.name,
    unit: draft.unit.trim() === '' ? null : draft.unit,
    description: draft.description,
    synonyms: draft.synonyms.split(',').map((each) => each.trim()).filter(Boolean),
    definition: kind === 'sql' ? { kind, databaseId, sql } : { kind, shortId: shortIdIn(shortId) },
    ownerId: draft.ownerId === '' ? null : draft.ownerId,
  }
}

/** The short id in a permalink, or the text itself. */
const shortIdIn = (text: string) => /\/q\/(\w+)/.exec(text)?.[1] ?? text.trim()
