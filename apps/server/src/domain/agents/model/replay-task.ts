import type { Caller } from '../../../model/caller.ts'
import type { ReferenceInFull } from '../../../model/reference.ts'
import type { ResultToReplay } from '../../../store/history/archived-results-table.ts'
import type { AgentAnswer } from '../../agent-runs/agent.ts'
import { openKeptResult } from '../../history/open-kept-result.ts'
import { Refusal } from '../../refusal.ts'
import { readResultRows } from '../../results/result-rows.ts'
import { converse } from './converse.ts'
import { figureResultsFrom } from './figure-results.ts'
import { addKnowledge } from './knowledge-message.ts'
import { openLanguageModel } from './language-model.ts'
import { openMeter } from './meter.ts'
import { getModelAccess } from './model-settings.ts'
import { noChat } from './no-chat.ts'
import { automationMessages } from './opening-messages.ts'
import { makePublisher } from './publisher.ts'
import { makeRunNames } from './run-names.ts'
import type { ModelAgentDeps } from './run-task.ts'
import { openTally } from './tally.ts'
import { keptResultTools } from './tools/kept-result-tools.ts'

export interface PastTask {
  automationId: string
  instructions: string
  references: readonly ReferenceInFull[]
  /** When the automation would have run. */
  at: Date
  /** What the references' results were then, by reference id. */
  results: ReadonlyMap<string, ResultToReplay>
  /** The user who asked for it. */
  caller: Caller
  signal: AbortSignal
}

/**
 * Has the model write the answer that it would have written to an automation's task at a past time, from kept results. Nothing is run, saved
 * or published; only the model's use is recorded.
 */
export async function replayTask(deps: ModelAgentDeps, task: PastTask): Promise<AgentAnswer> {
  const { automationId, instructions, references, at, results, caller, signal } = task
  const access = await getModelAccess(deps, caller.organizationId)
  const runNames = makeRunNames()
  const open = async (kept: ResultToReplay) => readResultRows(await openKeptResult(deps, kept))
  const kept = references.map(({ id, shortId, title }) => {
    const result = results.get(id)
    return { shortId, title, result: result && { ...result, open: () => open(result) } }
  })
  const opening = automationMessages(references, instructions)
  const { messages, synonyms } = await addKnowledge(deps, { caller, chat: noChat }, opening)
  const figureResults = figureResultsFrom(async (runId) => {
    const result = [...results.values()].find((each) => each.runId === runId)
    if (!result) throw new Refusal('result_not_kept', `The result of ${runId} is not kept.`)
    const { parameterTypes, parameterValues, rowCount, resultHash } = result
    // The run itself may be gone, so its SQL is not known.
    const source = { runId, sql: '', parameters: parameterValues, resultHash }
    return { parameterTypes, parameterValues, runAt: result.at, rowCount, source, open: () => open(result) }
  })
  return converse(deps, {
    chat: noChat,
    signal,
    logFields: { automationId },
    now: () => at,
    access,
    model: openLanguageModel(access, deps.agentFetch),
    tools: keptResultTools(kept, runNames),
    messages: [...messages, { role: 'user', content: notice }],
    publisher: makePublisher({ results: figureResults, runNames, asked: instructions, synonyms, now: at, baseUrl: deps.baseUrl }),
    tally: openTally(),
    meter: openMeter(deps, { task: { caller, automationId, chatId: automationId }, model: access.model }),
  })
}

const notice =
  'Do this task as of the time that you were given, which is in the past. Of your tools, only read_reference is available. It shows the results of that time.'
