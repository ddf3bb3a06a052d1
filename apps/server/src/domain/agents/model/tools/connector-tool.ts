import type { JSONSchema7 } from 'ai'
import type { ChatWriter } from '../../../agent-runs/chat-writer.ts'
import type { ConnectorTool } from '../../connectors/connector-tools.ts'
import { bounds } from '../model-limits.ts'
import { cutText } from '../../../../ports/cut-text.ts'
import { envelop, neutralise } from '../envelope.ts'
import { type ModelTool, ToolFailure } from './model-tool.ts'
import { withToolStep } from './tool-step.ts'

/**
 * A data connector's tool as one of the model's. Whatever its server says is data, its description too; and whatever
 * goes wrong with it is told to the model, since it is no fault of ours.
 */
export function connectorTool(tool: ConnectorTool, options: { chat: ChatWriter; signal: AbortSignal }): ModelTool {
  const { chat, signal } = options
  const { name, connector } = tool
  return {
    name,
    description: neutralise(`From the data connector ${connector}: ${tool.description}`),
    inputSchema: tool.inputSchema as JSONSchema7,
    // Its server knows better than we do whether the rest fits.
    findFault: (input) =>
      typeof input === 'object' && input !== null && !Array.isArray(input) ? undefined : 'it must be a JSON object',
    call: (input) =>
      withToolStep(chat, { tool: name, connector, input }, async () => {
        const answer = await tool.call(input, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          throw new ToolFailure(error instanceof Error ? error.message : 'The tool failed.', { cause: error })
        })
        const { text, isWhole } = cutText(answer, bounds.toolResultCharacters)
        const lead = isWhole ? 'The answer of the data connector.' : 'The beginning of the data connector’s answer.'
        return envelop(lead, text)
      }),
  }
}
