import type { ModelMessage } from 'ai'
import type { AgentTask } from '../../agent-runs/agent.ts'
import { readNewestPath } from '../../chats/read-newest-path.ts'
import { bounds } from './model-limits.ts'
import { conversationBefore } from './conversation.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import { envelop } from './envelope.ts'
import type { ToolDeps } from './tools/tool-world.ts'

/** The messages the model starts with: the automation's instructions and references, or the conversation so far and the question. */
export async function openingMessages(
  deps: Pick<ToolDeps, 'db' | 'findReference'>,
  task: AgentTask,
): Promise<ModelMessage[]> {
  if (task.automationId === null) {
    return conversationBefore(await readNewestPath(deps, task.chatId), task)
  }
  const { organizationId } = task.caller
  const found = await Promise.all(task.references.map((shortId) => deps.findReference({ organizationId, shortId })))
  // Leave out references deleted since.
  const lines = found.filter((reference) => reference !== undefined).map(({ shortId, title, description, parameters }) => {
    const named = parameters.map(
      ({ name, type, defaultValue }) => `${name} (${type}, default ${JSON.stringify(defaultValue)})`,
    )
    return [
      `${shortId}: ${JSON.stringify(title)}`,
      ...(description ? [`  ${withEllipsis(description, bounds.cellCharacters)}`] : []),
      ...(named.length > 0 ? [`  parameters: ${named.join(', ')}`] : []),
    ].join('\n')
  })
  if (lines.length === 0) return [{ role: 'user', content: task.instructions }]
  const lead = 'These saved references belong to the task. Read them with read_reference.'
  return [{ role: 'user', content: `${task.instructions}\n\n${envelop(lead, lines.join('\n'))}` }]
}
