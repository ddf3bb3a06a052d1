import type { ModelMessage } from 'ai'
import type { QueryRunStep } from '../../../model/chat.ts'
import type { ReferenceInFull } from '../../../model/reference.ts'
import type { AgentTask } from '../../agent-runs/agent.ts'
import { readNewestPath } from '../../chats/read-newest-path.ts'
import { bounds } from './model-limits.ts'
import { conversationBefore } from './conversation.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import { envelop } from './envelope.ts'
import { makeRunNames, type NamedRun, type RunNames } from './run-names.ts'
import type { ToolDeps } from './tools/tool-world.ts'

export interface Opening {
  /** The messages the model starts with. */
  messages: ModelMessage[]
  /** Everything that people wrote there. An answer may repeat their numbers. */
  asked: string
  /** With the runs of earlier exchanges. */
  runNames: RunNames
}

/** Opens a task with the automation's instructions and references, or with the conversation so far and the question. */
export async function openTask(deps: Pick<ToolDeps, 'db' | 'findReference'>, task: AgentTask): Promise<Opening> {
  if (task.automationId !== null) {
    const { organizationId } = task.caller
    const found = await Promise.all(task.references.map((shortId) => deps.findReference({ organizationId, shortId })))
    // Leave out references deleted since.
    const references = found.filter((reference) => reference !== undefined)
    return { messages: automationMessages(references, task.instructions), asked: task.instructions, runNames: makeRunNames() }
  }
  const path = await readNewestPath(deps, task.chatId)
  const runNames = makeRunNames(path.flatMap(({ content }) => (content.kind === 'query_run' ? completedRun(content) : [])))
  const asked = path.flatMap(({ content }) => (content.kind === 'question' || content.kind === 'instruction' ? [content.text] : []))
  return { messages: conversationBefore(path, task, runNames), asked: [...new Set([...asked, task.instructions])].join('\n\n'), runNames }
}

function completedRun({ status, runId, reference }: QueryRunStep): NamedRun[] {
  return status === 'completed' && runId !== null ? [{ runId, title: reference?.title ?? null }] : []
}

export function automationMessages(references: readonly ReferenceInFull[], instructions: string): ModelMessage[] {
  const lines = references.map(({ shortId, title, description, parameters }) => {
    const named = parameters.map(
      ({ name, type, defaultValue }) => `${name} (${type}, default ${JSON.stringify(defaultValue)})`,
    )
    return [
      `${shortId}: ${JSON.stringify(title)}`,
      ...(description ? [`  ${withEllipsis(description, bounds.cellCharacters)}`] : []),
      ...(named.length > 0 ? [`  parameters: ${named.join(', ')}`] : []),
    ].join('\n')
  })
  if (lines.length === 0) return [{ role: 'user', content: instructions }]
  const lead = 'These saved references belong to the task. Read them with read_reference.'
  return [{ role: 'user', content: `${instructions}\n\n${envelop(lead, lines.join('\n'))}` }]
}
