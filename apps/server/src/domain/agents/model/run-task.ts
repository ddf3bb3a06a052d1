import type { AgentServices } from '../../services.ts'
import type { AgentAnswer, AgentTask } from '../../agent-runs/agent.ts'
import { openConnectorTools } from '../connectors/connector-tools.ts'
import { converse } from './converse.ts'
import { makeFigureResults } from './figure-results.ts'
import { openLanguageModel } from './language-model.ts'
import { openMeter } from './meter.ts'
import { getModelAccess } from './model-settings.ts'
import { openTask } from './opening-messages.ts'
import { makePublisher } from './publisher.ts'
import { withKnowledge } from './knowledge-message.ts'
import { openTally } from './tally.ts'
import { answerWithRun } from './tools/answer-with-run.ts'
import { connectorTool } from './tools/connector-tool.ts'
import { builtInTools } from './tools/built-in-tools.ts'
import type { ToolDeps } from './tools/tool-world.ts'

export type ModelAgentDeps = ToolDeps & Pick<AgentServices, 'sealer' | 'agentFetch'>

/** Carries out a task and returns its answer. */
export async function runTask(services: ModelAgentDeps, task: AgentTask): Promise<AgentAnswer> {
  const { chat, signal, caller } = task
  const access = await getModelAccess(services, caller.organizationId)
  const connectors = await openConnectorTools(services, caller.organizationId, signal)
  try {
    for (const { connector, message } of connectors.problems) {
      await chat.add({ kind: 'note', text: `The data connector ${connector}: ${message}` })
    }
    const { messages: opening, asked, runNames } = await openTask(services, task)
    const { messages, synonyms } = await withKnowledge(services, task, opening)
    const world = { ...services, chat, signal, caller, notBefore: task.requestedAt, runNames, proposal: task.evaluation?.proposal }
    const ofEvaluation = task.evaluation ? [answerWithRun(world, task.evaluation.nameRun)] : []
    const ofConnectors = connectors.tools.map((tool) => connectorTool(tool, { chat, signal }))
    const tools = [...builtInTools(world), ...ofEvaluation, ...ofConnectors]
    const model = openLanguageModel(access, services.agentFetch)
    const results = makeFigureResults(services, caller)
    const { baseUrl } = services
    const publisher = makePublisher({ results, runNames, asked, synonyms, now: services.clock.now(), baseUrl })
    const meter = openMeter(services, { task, model: access.model })
    const logFields = { agentRunId: task.runId }
    const now = () => services.clock.now()
    return await converse(services, { chat, signal, logFields, now, access, model, tools, messages, publisher, tally: openTally(), meter })
  } finally {
    await connectors.close()
  }
}
