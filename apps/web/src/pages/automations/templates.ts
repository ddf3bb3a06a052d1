import { type Draft, newDraft } from './draft.ts'
import type { ScheduleDraft } from './schedule-draft.ts'

/** A predefined automation that needs little more than its queries. */
export interface Template {
  id: string
  name: string
  /** What it is good for. */
  description: string
  draft(options: { timeZone: string; agent: Draft['agent'] }): Draft
}

function template(
  about: Pick<Template, 'id' | 'name' | 'description'>,
  content: Pick<Draft, 'instructions' | 'when'> & { schedule: Partial<ScheduleDraft>; condition?: Partial<Draft['condition']> },
): Template {
  return {
    ...about,
    draft: ({ timeZone, agent }) => {
      const blank = newDraft(timeZone)
      return {
        ...blank,
        name: about.name,
        agent,
        instructions: content.instructions,
        when: content.when,
        schedule: { ...blank.schedule, ...content.schedule },
        condition: { ...blank.condition, ...content.condition },
      }
    },
  }
}

export const templates: Template[] = [
  template(
    {
      id: 'weekly-report',
      name: 'Weekly report',
      description: 'Every Monday morning: how last week went and what drove it.',
    },
    {
      instructions:
        'Report on last week. Give the figures of each query and compare them with the week before. ' +
        'Start with the one thing that matters most, then explain what drove the changes.',
      when: 'schedule',
      schedule: { every: 'week', days: [1], time: '08:00' },
    },
  ),
  template(
    {
      id: 'daily-digest',
      name: 'Daily digest',
      description: 'Every weekday morning: the figures and what changed since yesterday.',
    },
    {
      instructions: 'Summarize what changed since yesterday in a few sentences. If nothing important changed, just say so.',
      when: 'schedule',
      schedule: { every: 'weekdays', time: '08:00' },
    },
  ),
  template(
    {
      id: 'watch-a-number',
      name: 'Watch a number',
      description: 'When a value crosses a limit: stock below 10, errors above 100.',
    },
    {
      instructions: 'A value crossed the limit. List the rows that crossed it, by how much, and since when.',
      when: 'change',
      schedule: { every: 'hour', minute: 0 },
      condition: { kind: 'value', comparison: '<', number: '10' },
    },
  ),
  template(
    {
      id: 'data-freshness',
      name: 'Data freshness',
      description: 'When a query for recent rows returns none: data has stopped arriving.',
    },
    {
      instructions: 'No new rows have arrived. Say when the last ones arrived and where they should have come from.',
      when: 'change',
      schedule: { every: 'hour', minute: 15 },
      condition: { kind: 'row_count', comparison: '=', number: '0' },
    },
  ),
  template(
    {
      id: 'what-changed',
      name: 'What changed',
      description: 'Whenever a result changes: a price list, customers, open orders.',
    },
    {
      instructions: 'The result changed. List the rows that were added, removed or changed.',
      when: 'change',
      schedule: { every: 'day', time: '07:00' },
      condition: { kind: 'changed' },
    },
  ),
]

export const templateOf = (id: string | null) => templates.find((each) => each.id === id)
