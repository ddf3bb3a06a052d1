import type { Chat } from '../../api/chats.ts'

/** A chat with the messages that it had at a time. Nothing can be asked in the past. */
export const chatAt = (chat: Chat, at: string): Chat => ({
  ...chat,
  messages: chat.messages.filter(({ createdAt }) => Date.parse(createdAt) <= Date.parse(at)),
  run: null,
  canAsk: false,
  canEdit: false,
})
