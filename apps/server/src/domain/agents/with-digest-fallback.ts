import type { Agent, AgentAnswer } from '../agent-runs/agent.ts'
import { isBudgetExhausted } from './model/meter.ts'

/**
 * The model agent for automations that have queries falls back to the digest when the model's budget is exhausted, so that a report
 * still arrives. The chat and the summary say so. Other runs fail with the reason.
 */
export function withDigestFallback(agents: { model: Agent; digest: Agent }): Agent {
  return async (task) => {
    try {
      return await agents.model(task)
    } catch (error) {
      if (!isBudgetExhausted(error) || task.automationId === null || task.references.length === 0) throw error
      const note = `This report was written without the model. ${error.message}`
      await task.chat.add({ kind: 'note', text: note })
      const answer = await agents.digest(task)
      return { ...startWith(`_${note}_\n\n`, answer), ...(error.usage && { usage: error.usage }) }
    }
  }
}

/** The answer with this text before it; its figures move along. */
function startWith(lead: string, answer: AgentAnswer): AgentAnswer {
  const { length } = lead
  const figures = answer.figures?.map((figure) => ({ ...figure, start: figure.start + length, end: figure.end + length }))
  return { ...answer, summary: lead + answer.summary, ...(figures && { figures }) }
}
