import type { JSONSchema7 } from 'ai'
import type { ChatWriter } from '../../../agent-runs/chat-writer.ts'
import type { ConnectorTool } from '../../connectors/connector-tools.ts'
import { bounds } from '../model-limits.ts'
import { cutText } from '../../../../ports/cut-text.ts'
import { envelop, neutralize } from '../envelope.ts'
import { type ModelTool, ToolFailure } from './model-tool.ts'
import { withToolStep } from './tool-step.ts'

/**
 * Offers a data connector's tool to the model. Everything its server says is untrusted data, including its description. Its
 * failures are reported to the model, since they are not internal errors.
 */
export function connectorTool(tool: ConnectorTool, options: { chat: ChatWriter; signal: AbortSignal }): ModelTool {
  const { chat, signal } = options
  const { name, connector } = tool
  return {
    name,
    description: neutralize(`From the data connector ${connector}: ${tool.description}`),
    inputSchema: tool.inputSchema as JSONSchema7,
    // The server is the better judge of the rest.
    findFault: (input) =>
      typeof input === 'object' && input !== null && !Array.isArray(input) ? undefined : 'it must be a JSON object',
    call: (input) =>
      withToolStep(chat, { tool: name, connector, input }, async () => {
        const answer = await tool.call(input, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          throw new ToolFailure(error instanceof Error ? error.message : 'The tool failed.', { cause: error })
        })
        const { text, isWhole } = cutText(answer, bounds.toolResultCharacters)
        const lead = isWhole ? 'The data connector’s answer.' : 'The beginning of the data connector’s answer.'
        return envelop(lead, text)
      }),
  }
}
