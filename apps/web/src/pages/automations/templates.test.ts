import { expect, test } from 'vitest'
import { toAutomationContent } from './draft.ts'
import { templateOf, templates } from './templates.ts'

test('each template only needs its queries to be a complete automation', () => {
  for (const { id, name, draft } of templates) {
    const content = toAutomationContent(draft({ timeZone: 'Europe/Berlin', agent: 'digest' }))
    expect(content, id).toMatchObject({ name, references: [], enabled: true, agent: 'digest' })
    expect(content.instructions.length, id).toBeGreaterThan(20)
    expect(content.schedule?.timeZone, id).toBe('Europe/Berlin')
    expect(content.schedule?.cron.split(' '), id).toHaveLength(5)
    expect(templateOf(id)?.name).toBe(name)
  }
  expect(templateOf('nothing')).toBeUndefined()
  expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length)
})

test('the condition of a template matches its description', () => {
  const conditionOf = (id: string) => toAutomationContent(templateOf(id)!.draft({ timeZone: 'UTC', agent: 'model' })).condition
  expect(conditionOf('weekly-report')).toBeNull()
  expect(conditionOf('watch-a-number')).toMatchObject({ kind: 'value', comparison: '<', number: 10 })
  expect(conditionOf('data-freshness')).toMatchObject({ kind: 'row_count', comparison: '=', number: 0 })
  expect(conditionOf('what-changed')).toMatchObject({ kind: 'changed' })
})
