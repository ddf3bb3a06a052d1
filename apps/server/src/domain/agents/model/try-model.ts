import { Type } from 'typebox'
import { abortAfter } from '../../../ports/clock.ts'
import type { AgentServices } from '../../services.ts'
import { requireAdmin } from '../../access/require-admin.ts'
import type { Caller } from '../../../model/caller.ts'
import { askModel } from './ask-model.ts'
import { openLanguageModel } from './language-model.ts'
import { accessToTry, type GivenModelSettings, getModelAccess } from './model-settings.ts'
import { judgeProviderError } from './provider-failure.ts'
import { defineTool } from './tools/model-tool.ts'

export type ModelTrial = { ok: true; durationMs: number; reply: string } | { ok: false; message: string }

const timeLimitMs = 30_000

/** Asks the model a trivial question that requires a tool call, since agents depend on tools. Can try settings before they are saved. */
export async function tryModel(
  services: Pick<AgentServices, 'db' | 'clock' | 'sealer' | 'agentFetch'>,
  caller: Caller,
  given?: GivenModelSettings,
): Promise<ModelTrial> {
  requireAdmin(caller)
  const { clock } = services
  const access = given
    ? await accessToTry(services, caller, given)
    : await getModelAccess(services, caller.organizationId)
  const startedMs = clock.monotonicMs()
  const limit = abortAfter(clock, timeLimitMs)
  try {
    const step = await askModel({
      model: openLanguageModel(access, services.agentFetch),
      instructions: 'You are asked whether you can call tools. Do what is asked, in as few words as possible.',
      messages: [{ role: 'user', content: 'Call the tool report_readiness with the word "ready".' }],
      tools: [readiness],
      signal: limit.signal,
    })
    const call = step.toolCalls.find(({ name, fault }) => name === readiness.name && fault === null)
    if (!call) {
      const responseText = step.text === '' ? 'nothing' : JSON.stringify(step.text.slice(0, 200))
      const fault = `The model responded but did not call the requested tool; it said ${responseText}.`
      return { ok: false, message: `${fault} Choose a model that can call tools.` }
    }
    const reply = (call.input as { word: string }).word.slice(0, 200)
    return { ok: true, durationMs: Math.round(clock.monotonicMs() - startedMs), reply }
  } catch (error) {
    if (limit.signal.aborted) {
      const fault = `The model did not respond within ${timeLimitMs / 1000} seconds.`
      return { ok: false, message: `${fault} Check the base URL, or try again.` }
    }
    return { ok: false, message: judgeProviderError(error, access, clock.now()).reason }
  } finally {
    limit.cancel()
  }
}

const readiness = defineTool({
  name: 'report_readiness',
  description: 'Reports that you are ready.',
  input: Type.Object({ word: Type.String() }),
  call: async () => 'Thank you.',
})
