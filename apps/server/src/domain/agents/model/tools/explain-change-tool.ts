import { Type } from 'typebox'
import { findKeptResultAt } from '../../../../store/history/archived-results-table.ts'
import { describeExplanation } from '../../../history/why/describe-change.ts'
import { explainChange } from '../../../history/why/explain-change.ts'
import { getReference } from '../../../references/references.ts'
import { cutText } from '../../../../ports/cut-text.ts'
import { envelop } from '../envelope.ts'
import { bounds } from '../model-limits.ts'
import { defineTool, type ModelTool, ToolFailure } from './model-tool.ts'
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
        const { shortId, from, to, ...choice } = input
        const { caller, signal } = world
        const { id: referenceId, title } = await getReference(world, caller, shortId)
        const keptAt = async (text: string | undefined) => {
          const at = text === undefined ? world.clock.now() : new Date(text)
          if (Number.isNaN(at.getTime())) throw new ToolFailure(`${JSON.stringify(text)} is not a time. Example: 2026-03-01T08:00Z.`)
          const kept = await findKeptResultAt(world.db, { organizationId: caller.organizationId, referenceId, at })
          if (!kept) throw new ToolFailure(`No result of ${at.toISOString()} or before is kept. Choose a later time.`)
          return kept
        }
        const [before, after] = [await keptAt(from), await keptAt(to)]
        if (before.runId === after.runId) throw new ToolFailure('Both times have the same result. Choose an earlier time for `from`.')
        const explained = await explainChange(world, caller, { shortId, from: before.runId, to: after.runId, ...choice, signal })
        const names = [before, after].map(({ runId }) => world.runNames.add({ runId, title }))
        const lead = `The earlier result is run ${names[0]}, the later one is run ${names[1]}. Write their figures as {{${names[1]}: expression}}.`
        return envelop(lead, cutText(describeExplanation(explained).join('\n'), bounds.toolResultCharacters).text)
      }),
  })
}
