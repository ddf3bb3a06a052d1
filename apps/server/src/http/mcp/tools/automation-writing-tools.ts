import { Type } from 'typebox'
import * as automations from '../../../domain/automations/automations.ts'
import type { AutomationInFull } from '../../../model/automation.ts'
import { AutomationChange, NewAutomation } from '../../schemas/automation-schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { shown } from '../mcp-texts.ts'
import { AutomationId, closed, inputOf, nullableText, text } from '../shapes.ts'
import { creates, defineTool, replaces } from '../tool.ts'

const SavedAnswer = Type.Object({ id: text, name: text, enabled: Type.Boolean(), nextDueAt: nullableText, url: text })

const present = ({ id, name, enabled, nextDueAt }: AutomationInFull, place: { baseUrl: string }) => ({
  id,
  name: shown(name, bounds.listedText),
  enabled,
  nextDueAt: nextDueAt?.toISOString() ?? null,
  url: linksAt(place).automation(id),
})

/** When an automation runs, people are notified and webhooks are sent. */
const reachesPeople = { openWorldHint: true }

export const createAutomation = defineTool({
  name: 'create_automation',
  scope: 'write:automations',
  title: 'Create an automation',
  description:
    'Creates an automation, in which an agent reports on references: on a schedule, on a condition, or only when started. It is enabled unless you say otherwise.',
  hints: { ...creates, ...reachesPeople },
  input: inputOf({}, NewAutomation),
  output: SavedAnswer,
  call: async ({ services, caller }, input) => present(await automations.createAutomation(services, caller, input), services),
})

export const updateAutomation = defineTool({
  name: 'update_automation',
  scope: 'write:automations',
  title: 'Change an automation',
  description: 'Changes the given fields of an automation. A null schedule or condition is removed.',
  hints: { ...replaces, ...reachesPeople },
  input: inputOf({ automationId: AutomationId }, AutomationChange),
  output: SavedAnswer,
  call: async ({ services, caller }, { automationId, ...edit }) =>
    present(await automations.editAutomation(services, caller, automationId, edit), services),
})

export const deleteAutomation = defineTool({
  name: 'delete_automation',
  scope: 'write:automations',
  title: 'Delete an automation',
  description: 'Deletes an automation. Its earlier reports are kept, and a run in progress finishes. This cannot be undone.',
  hints: replaces,
  input: Type.Object({ automationId: AutomationId }, closed),
  output: Type.Object({ id: text }),
  async call({ services, caller }, { automationId }) {
    await automations.deleteAutomation(services, caller, automationId)
    return { id: automationId }
  },
})
