import type { ModelMessage } from 'ai'

const leftOut = 'Left out here to keep the conversation short. Call the tool again if you need its answer.'

/**
 * The messages in at most about `maxCharacters`: where they are longer, the oldest answers of tools are replaced, as
 * many as it takes. What people and the model said stays, and every call keeps an answer, which providers insist on.
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
