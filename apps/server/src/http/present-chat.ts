import type { AgentRun } from '../model/agent-run.ts'
import type { Feedback } from '../model/chat.ts'
import { usedKnowledgeLabels } from '../model/knowledge.ts'
import type { ChatNews, ChatView, EarlierExchanges, ListedChat, ShownMessage } from '../domain/chats/chats.ts'
import type { ListedFeedback } from '../domain/chats/feedback.ts'
import { chatUrlOf, presentAgentRun, presentAnswer } from './present-agent-run.ts'

interface Place {
  baseUrl: string
}

/** The caller's own, by message number. */
type OwnFeedback = ReadonlyMap<number, Feedback>

/** A chat in a list. */
export const presentChat = (chat: ListedChat, place: Place) => ({
  shortId: chat.shortId,
  title: chat.title,
  url: chatUrlOf(chat.shortId, place),
  createdAt: chat.createdAt.toISOString(),
  updatedAt: chat.updatedAt.toISOString(),
  revision: chat.revision,
  automation: chat.automation,
  startedBy: chat.startedBy,
  run: presentAgentRunOfChat(chat.run, place),
})

export const presentChatView = (chat: ChatView, place: Place) => ({
  ...presentChat(chat, place),
  canAsk: chat.canAsk,
  canEdit: chat.canEdit,
  leaf: chat.leaf,
  ...presentExchanges(chat),
})

export const presentExchanges = ({ messages, branches, hasEarlier, feedback }: EarlierExchanges) => ({
  messages: messages.map((message) => presentMessage(message, feedback)),
  branches,
  hasEarlier,
})

export const presentNews = (news: ChatNews, feedback: OwnFeedback, place: Place) => ({
  revision: news.revision,
  run: presentAgentRunOfChat(news.run, place),
  canAsk: news.canAsk,
  messages: news.messages.map((message) => presentMessage(message, feedback)),
})

export const presentFeedback = ({ updatedAt, ...feedback }: ListedFeedback) => ({ ...feedback, updatedAt: updatedAt.toISOString() })

const presentAgentRunOfChat = (run: AgentRun | null, place: Place) =>
  run && (run.automationId === null ? presentAnswer(run) : presentAgentRun(run, place))

const presentMessage = (message: ShownMessage, feedback: OwnFeedback) => {
  const { number, agentRunId, user, revision, createdAt, content } = message
  return { number, agentRunId, user, revision, createdAt: createdAt.toISOString(), ...presentContent(message, content, feedback) }
}

function presentContent(message: ShownMessage, content: ShownMessage['content'], feedback: OwnFeedback) {
  switch (content.kind) {
    case 'question':
      return { kind: content.kind, text: content.text, follows: message.follows ?? null }
    case 'text':
    case 'summary':
    case 'answer': {
      const { kind, text, figures = [], followUps = [] } = content
      return { kind, text, figures, followUps, feedback: feedback.get(message.number) ?? null }
    }
    case 'knowledge':
      return { kind: content.kind, used: content.used.map((each) => ({ ...each, label: usedKnowledgeLabels[each.kind] })) }
    default:
      return content
  }
}
