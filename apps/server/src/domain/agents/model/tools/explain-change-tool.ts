import { Type } from 'typebox'
import { describeExplanation } from '../../../history/why/describe-change.ts'
import { explainBetween } from '../../../history/why/explain-between.ts'
import { cutText } from '../../../../ports/cut-text.ts'
import { envelop } from '../envelope.ts'
import { bounds } from '../model-limits.ts'
import { defineTool, type ModelTool } from './model-tool.ts'
import { withToolStep } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

const name = 'explain_change'
const Time = (description: string) => Type.String({ maxLength: 40, description: `${description}, in ISO 8601: 2026-03-01T08:00Z` })

/** Tells the model why a saved query's numbers changed between two times, by its kept results. */
export function explainChangeTool(world: ToolWorld): ModelTool {
  return defineTool({
    name,
    description:
      'Explains why the result of a saved reference changed between two times: what SQL, parameters and data contribute to the ' +
      'difference of each column, and which rows and values contribute most. All parts add up exactly.',
    input: Type.Object(
      {
        shortId: Type.String({ description: 'The identifier of the reference' }),
        from: Time('The earlier time'),
        to: Type.Optional(Time('The later time; now if omitted')),
        measure: Type.Optional(Type.String({ description: 'Only this column' })),
        denominator: Type.Optional(Type.String({ description: 'Divide by the sum of this column, to explain a ratio' })),
      },
      { additionalProperties: false },
    ),
    call: (input) =>
      withToolStep(world.chat, { tool: name, connector: null, input }, async () => {
        const { title, before, after, explained } = await explainBetween(world, world.caller, { ...input, signal: world.signal })
        const names = [before, after].map(({ runId }) => world.runNames.add({ runId, title }))
        const lead = `The earlier result is run ${names[0]}, the later one is run ${names[1]}. Write their figures as {{${names[1]}: expression}}.`
        return envelop(lead, cutText(describeExplanation(explained).join('\n'), bounds.toolResultCharacters).text)
      }),
  })
}
