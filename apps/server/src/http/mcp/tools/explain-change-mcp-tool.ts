import { Type } from 'typebox'
import { describeExplanation } from '../../../domain/history/why/describe-change.ts'
import { explainBetween } from '../../../domain/history/why/explain-between.ts'
import { bounds } from '../mcp-limits.ts'
import { closed, ShortId, text } from '../shapes.ts'
import { shown } from '../mcp-texts.ts'
import { defineTool, reads } from '../tool.ts'

const Time = (description: string) => Type.String({ maxLength: 40, description: `${description}, in ISO 8601: 2026-03-01T08:00Z` })
const Result = Type.Object({ runId: text, at: text })

export const explainChange = defineTool({
  name: 'explain_change',
  scope: 'read:queries',
  title: 'Explain a change',
  description:
    'Explains why the result of a reference changed between two times: what SQL, parameters and data contribute to the difference of ' +
    'each column, and which rows and values contribute most. All parts add up exactly.',
  hints: reads,
  input: Type.Object(
    {
      shortId: ShortId,
      from: Time('The earlier time'),
      to: Type.Optional(Time('The later time; now if omitted')),
      measure: Type.Optional(Type.String({ maxLength: 200, description: 'Only this column' })),
      denominator: Type.Optional(Type.String({ maxLength: 200, description: 'Divide by the sum of this column, to explain a ratio' })),
    },
    closed,
  ),
  output: Type.Object({ from: Result, to: Result, explanation: text }),
  async call({ services, caller, signal }, input) {
    const { before, after, explained } = await explainBetween(services, caller, { ...input, signal })
    return {
      from: { runId: before.runId, at: before.at.toISOString() },
      to: { runId: after.runId, at: after.at.toISOString() },
      explanation: shown(describeExplanation(explained).join('\n'), bounds.summary),
    }
  },
})
