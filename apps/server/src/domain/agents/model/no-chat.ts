import type { ChatWriter } from '../../agent-runs/chat-writer.ts'

/** Tools record what they do in a chat. Drafts and previews have none. */
export const noChat: ChatWriter = { add: async () => 0, change: async () => {} }
