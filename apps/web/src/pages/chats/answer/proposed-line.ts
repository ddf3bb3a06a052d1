import type { Chat, MarkdownMessage } from '../../../api/chats.ts'

/**
 * What a person may want agents to know after this answer, in that person's own words: the remark on the answer, else the question that
 * was asked after it, else the question itself if it follows another one. Each of these is often a correction. Empty if there is none.
 */
export function proposedLine(chat: Pick<Chat, 'messages'>, answer: Pick<MarkdownMessage, 'number' | 'feedback'>): string {
  const questions = chat.messages.filter((message) => message.kind === 'question')
  const asked = questions.findLast(({ number }) => number < answer.number)
  const next = asked && questions.find(({ follows }) => follows === asked.number)
  const followUp = asked && asked.follows !== null ? asked.text : ''
  return (answer.feedback?.remark ?? next?.text ?? followUp).trim()
}
