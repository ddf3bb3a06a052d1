import { Type } from 'typebox'
import { cutText } from '../../../../ports/cut-text.ts'
import { chooseKnowledge } from '../../../knowledge/choose-knowledge.ts'
import { findKnowledge } from '../../../knowledge/find-knowledge.ts'
import { envelop } from '../envelope.ts'
import { bounds } from '../model-limits.ts'
import { defineTool, type ModelTool } from './model-tool.ts'
import { withToolStep } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

const name = 'search_knowledge'
const found = 20

/** Finds tables among thousands, where `list_tables` would show only the first ones. No tool changes knowledge. */
export function searchKnowledge(world: ToolWorld): ModelTool {
  return defineTool({
    name,
    description:
      'Finds metrics, verified queries and tables by words of their names, descriptions and columns, best first. ' +
      'Tables are shown with their columns.',
    input: Type.Object({ words: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false }),
    call: (input) =>
      withToolStep(world.chat, { tool: name, connector: null, input }, async () => {
        const { caller: { organizationId }, proposal } = world
        const candidates = await findKnowledge(world, { organizationId, text: input.words, count: found, proposal })
        const { trusted, untrusted } = chooseKnowledge({ ...candidates, instructions: [] }, bounds.toolResultCharacters)
        const entries = [...trusted, ...untrusted]
        if (entries.length === 0) return 'Nothing matches these words. Try others, or call list_tables.'
        const { text } = cutText(entries.join('\n\n'), bounds.toolResultCharacters)
        return envelop('The best matches.', text)
      }),
  })
}
