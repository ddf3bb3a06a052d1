import type { ModelMessage } from 'ai'

const leftOut = 'Omitted to keep the conversation short. Call the tool again if you need its answer.'

/**
 * Shortens the messages to about `maxCharacters` by replacing as many of the oldest tool answers as needed. What people and the
 * model wrote stays, and every tool call keeps an answer, as providers require.
 */
export function fitHistory(messages: readonly ModelMessage[], maxCharacters: number): ModelMessage[] {
  let excess = JSON.stringify(messages).length - maxCharacters
  return messages.map((message) => {
    if (excess <= 0 || message.role !== 'tool') return message
    const content = message.content.map((part) => {
      if (excess <= 0 || part.type !== 'tool-result' || !('value' in part.output)) return part
      const { value } = part.output
      if (typeof value !== 'string' || value.length <= leftOut.length) return part
      excess -= value.length - leftOut.length
      return { ...part, output: { type: 'text' as const, value: leftOut } }
    })
    return { ...message, content }
  })
}
