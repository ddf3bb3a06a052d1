import type { ScriptedAnswer, ScriptedCall } from './scripted-answer.ts'

/** Models' answers on the wire: server-sent events in awkwardly split pieces. */
interface WireFormat {
  /** The beginning of an answer, up to the end of this text. */
  beginning(text: string, model: string): string
  whole(answer: Extract<ScriptedAnswer, { text?: string }>, model: string): string[]
}

const usage = { input: 100, output: 20 }

export const openaiStream: WireFormat = {
  beginning: (text, model) => [openaiChunk(model, { role: 'assistant', content: '' }), ...texts(text, model)].join(''),
  whole({ text = '', toolCalls = [], finishReason, reportsUsage = true }, model) {
    const calls = toolCalls.flatMap((call, index) => {
      const [first, ...rest] = inPieces(inputText(call))
      const begin = { index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: first ?? '' } }
      return [begin, ...rest.map((piece) => ({ index, function: { arguments: piece } }))]
    })
    const reason = finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
    return [
      openaiChunk(model, { role: 'assistant', content: '' }),
      ...texts(text, model),
      ...calls.map((call) => openaiChunk(model, { tool_calls: [call] })),
      openaiChunk(model, {}, reason),
      ...(reportsUsage ? [openaiUsage(model)] : []),
      'data: [DONE]\n\n',
    ]
  },
}

const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1 }

const texts = (text: string, model: string) => inPieces(text).map((content) => openaiChunk(model, { content }))

function openaiChunk(model: string, delta: object, reason: string | null = null): string {
  return data({ ...chunk, model, choices: [{ index: 0, delta, finish_reason: reason }] })
}

function openaiUsage(model: string): string {
  const used = { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output }
  return data({ ...chunk, model, choices: [], usage: used })
}

export const anthropicStream: WireFormat = {
  beginning: (text, model) => [anthropicStart(model), ...anthropicText(text)].join(''),
  whole({ text = '', toolCalls = [], finishReason }, model) {
    const blocks = text === '' ? 0 : 1
    return [
      anthropicStart(model),
      ...(text === '' ? [] : [...anthropicText(text), event({ type: 'content_block_stop', index: 0 })]),
      ...toolCalls.flatMap((call, index) => anthropicCall(call, blocks + index)),
      event({
        type: 'message_delta',
        delta: { stop_reason: finishReason ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn'), stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
      event({ type: 'message_stop' }),
    ]
  },
}

function anthropicStart(model: string): string {
  const begun = { id: 'msg_1', type: 'message', role: 'assistant', content: [], stop_reason: null, stop_sequence: null }
  const used = { input_tokens: usage.input, output_tokens: 1 }
  return event({ type: 'message_start', message: { ...begun, model, usage: used } })
}

function anthropicText(text: string): string[] {
  return [
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...inPieces(text).map((piece) =>
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } }),
    ),
  ]
}

function anthropicCall(call: ScriptedCall, index: number): string[] {
  const block = { type: 'tool_use', id: `toolu_${index}`, name: call.name, input: {} }
  return [
    event({ type: 'content_block_start', index, content_block: block }),
    ...inPieces(inputText(call)).map((partial_json) =>
      event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }),
    ),
    event({ type: 'content_block_stop', index }),
  ]
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const event = (value: { type: string; [key: string]: unknown }) => `event: ${value.type}\n${data(value)}`
const inputText = ({ input }: ScriptedCall) => (typeof input === 'string' ? input : JSON.stringify(input))
const inPieces = (text: string): string[] => text.match(/[^]{1,7}/gu) ?? []
