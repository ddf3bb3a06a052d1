import { provenText } from '@querypost/answers'
import type { MessageContent } from '../model/chat.ts'
import { usedKnowledgeLabels } from '../model/knowledge.ts'
import type { PublishedChat, PublishedMessage } from '../domain/chats/published-chats.ts'
import { plainText } from '../domain/plain-text.ts'
import { shortened } from '../domain/shortened.ts'
import type { PublishedChatRow } from '../store/chats/read-published-chats-page.ts'
import { chatUrlOf } from './present-agent-run.ts'

export const presentListedPublishedChat = (chat: PublishedChatRow, place: { baseUrl: string }) => ({
  id: chat.id,
  shortId: chat.shortId,
  permalink: chatUrlOf(chat.shortId, place),
  title: chat.title,
  ...presentStatus(chat),
  createdAt: chat.createdAt.toISOString(),
  updatedAt: chat.updatedAt.toISOString(),
})

export const presentPublishedChat = (chat: PublishedChat, place: { baseUrl: string }) => ({
  ...presentListedPublishedChat(chat, place),
  messages: chat.messages.map(presentPublishedMessage),
})

export const presentStatus = ({ isAnswering }: { isAnswering: boolean }) => ({
  status: isAnswering ? ('answering' as const) : ('idle' as const),
})

export const presentPublishedMessage = ({ number, createdAt, content, follows, steps }: PublishedMessage) => ({
  number,
  createdAt: createdAt.toISOString(),
  ...presentContent(content, follows),
  ...(steps && { steps }),
})

const agent = { role: 'agent' as const, figures: [] }
const step = { ...agent, kind: 'step' as const }

function presentContent(content: MessageContent, follows: number | null | undefined) {
  switch (content.kind) {
    case 'instruction':
      return { ...agent, role: 'person' as const, kind: 'question' as const, text: content.text, follows: null }
    case 'question':
      return { ...agent, role: 'person' as const, kind: 'question' as const, text: content.text, follows: follows ?? null }
    case 'summary':
    case 'answer': {
      const { text, figures = [], followUps = [] } = content
      return { ...agent, kind: 'answer' as const, text, figures, followUps }
    }
    case 'failure':
      return { ...agent, kind: 'failure' as const, text: content.reason }
    case 'query_run': {
      const { runId, sql, status, rowCount } = content
      return { ...step, text: lineOf(queryRunText(content)), runId, sql, status, rowCount }
    }
    case 'tool_call':
      return { ...step, text: lineOf(toolCallText(content)), status: content.status }
    case 'chart':
      return { ...step, text: lineOf(`Drew the chart “${content.title}”`), runId: content.runId }
    case 'reference':
      return { ...step, text: lineOf(`Saved the query “${content.title}”`) }
    case 'knowledge':
      return { ...step, text: lineOf(`Used ${content.used.map(({ kind, name }) => `${usedKnowledgeLabels[kind]} ${name}`).join(', ')}`) }
    case 'text':
      return { ...step, text: lineOf(plainText(provenText(content.text, content.figures ?? []))) }
    case 'note':
      return { ...step, text: lineOf(content.text) }
  }
}

function queryRunText({ reference, status, rowCount, failureReason }: Extract<MessageContent, { kind: 'query_run' }>): string {
  const what = reference ? `“${reference.title}”` : 'a query'
  if (status === 'failed') return `Could not run ${what}: ${failureReason ?? 'it failed'}`
  if (status !== 'completed') return `Running ${what}`
  return `Ran ${what}: ${rowCount === 1 ? '1 row' : `${rowCount ?? 0} rows`}`
}

function toolCallText({ tool, connector, status }: Extract<MessageContent, { kind: 'tool_call' }>): string {
  const what = connector === null ? tool : `${tool} of ${connector}`
  if (status === 'running') return `Using ${what}`
  return status === 'failed' ? `Used ${what}, which failed` : `Used ${what}`
}

const lineMaxCharacters = 300

const lineOf = (text: string) => shortened(text.trim().replaceAll(/\s+/g, ' '), lineMaxCharacters)
