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
      return { ...withLead(answer, `_${note}_\n\n`), ...(error.usage && { usage: error.usage }) }
    }
  }
}

/** The summary with a text in front of it. Its figures move accordingly. */
function withLead(answer: AgentAnswer, lead: string): AgentAnswer {
  const moved = answer.figures?.map((figure) => ({ ...figure, start: figure.start + lead.length, end: figure.end + lead.length }))
  return { ...answer, summary: `${lead}${answer.summary}`, ...(moved && { figures: moved }) }
}
