import { type Draft, newDraft } from './draft.ts'
import type { ScheduleDraft } from './schedule-draft.ts'

/** A beginning that needs little more than the queries it looks at. */
export interface Template {
  id: string
  name: string
  /** When one would want it. */
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
      description: 'Every Monday morning: how last week went, and what moved it.',
    },
    {
      instructions:
        'Report on the last week. State the figures of each query and compare them with the week before. ' +
        'Name what moved them most, and begin with the one thing that matters.',
      when: 'schedule',
      schedule: { every: 'week', days: [1], time: '08:00' },
    },
  ),
  template(
    {
      id: 'daily-digest',
      name: 'Daily digest',
      description: 'Every weekday morning: the figures, and only what changed since yesterday.',
    },
    {
      instructions: 'Say what changed since yesterday, in a few sentences. Where nothing worth knowing changed, say just that.',
      when: 'schedule',
      schedule: { every: 'weekdays', time: '08:00' },
    },
  ),
  template(
    {
      id: 'watch-a-number',
      name: 'Watch a number',
      description: 'As soon as a value passes a limit: stock below ten, errors above a hundred.',
    },
    {
      instructions: 'The limit was passed. Say which rows passed it, by how much, and since when.',
      when: 'change',
      schedule: { every: 'hour', minute: 0 },
      condition: { kind: 'value', comparison: '<', number: '10' },
    },
  ),
  template(
    {
      id: 'data-freshness',
      name: 'Data freshness',
      description: 'When a query that lists the newest rows finds none: data has stopped coming.',
    },
    {
      instructions: 'No new rows have come. Say when the last ones came, and where they should have come from.',
      when: 'change',
      schedule: { every: 'hour', minute: 15 },
      condition: { kind: 'row_count', comparison: '=', number: '0' },
    },
  ),
  template(
    {
      id: 'what-changed',
      name: 'What changed',
      description: 'Whenever a result is not what it was: a list of prices, of customers, of open orders.',
    },
    {
      instructions: 'The result changed. Say which rows are new, which are gone, and which are different.',
      when: 'change',
      schedule: { every: 'day', time: '07:00' },
      condition: { kind: 'changed' },
    },
  ),
]

export const templateOf = (id: string | null) => templates.find((each) => each.id === id)
