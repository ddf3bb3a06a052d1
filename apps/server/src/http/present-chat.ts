import type { AgentRun } from '../model/agent-run.ts'
import type { Message } from '../model/chat.ts'
import type { ChatInFull, ChatNews, ListedChat } from '../domain/chats/chats.ts'
import { chatUrlOf, presentAgentRun, presentAnswer } from './present-agent-run.ts'

interface Place {
  baseUrl: string
}

/** A chat in a list. */
export const presentChat = (chat: ListedChat, place: Place) => ({
  shortId: chat.shortId,
  title: chat.title,
  url: chatUrlOf(chat.shortId, place),
  createdAt: chat.createdAt.toISOString(),
  updatedAt: chat.updatedAt.toISOString(),
  revision: chat.revision,
  automation: chat.automation,
  run: presentAgentRunOfChat(chat.run, place),
})

export const presentChatInFull = (chat: ChatInFull, place: Place) => ({
  ...presentChat(chat, place),
  canAsk: chat.canAsk,
  messages: chat.messages.map(presentMessage),
})

export const presentNews = (news: ChatNews, place: Place) => ({
  revision: news.revision,
  run: presentAgentRunOfChat(news.run, place),
  canAsk: news.canAsk,
  messages: news.messages.map(presentMessage),
})

const presentAgentRunOfChat = (run: AgentRun | null, place: Place) =>
  run && (run.automationId === null ? presentAnswer(run) : presentAgentRun(run, place))

const presentMessage = ({ content, createdAt, ...message }: Message) => ({
  ...message,
  createdAt: createdAt.toISOString(),
  ...content,
})
