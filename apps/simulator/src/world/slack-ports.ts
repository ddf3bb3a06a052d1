import { LeaseLost, type SlackQuestionPorts } from '@querypost/server/background-work'
import { type Mail, MailError } from '@querypost/server/connections'
import type { MemorySlackQuestions } from '../store/memory-slack-questions.ts'
import type { MemoryWork } from '../store/memory-work.ts'
import type { CallStore } from './store-calls.ts'

/** Under which a send is observed: the last reply to a question, or one before it. */
export const finalReplyOf = (questionId: string): string => `${questionId} final`

/** Slack, with the behavior of the plan's mail server, and the chats of agent runs. */
export function makeSlackPorts(options: { call: CallStore; tables: MemoryWork; store: MemorySlackQuestions; server: Mail }): SlackQuestionPorts {
  const { call, tables, store, server } = options
  return {
    async findAsker({ id, organizationId }) {
      if (!tables.slackQuestions.get(id)!.isByMember) return { kind: 'declined', why: 'not_a_member' }
      return { kind: 'member', caller: { organizationId, userId: 'user_x', role: 'member', triggerId: 'user_x' } }
    },
    async ask(question) {
      const agentRunId = await call('store.slackQuestions.ask', () => store.ask(question))
      if (agentRunId === undefined) throw new LeaseLost(`${question.id} is no longer in the hands of this worker.`)
      if (store.hasLeftOver()) await call('store.slackQuestions.ask', () => store.noteLeftOver())
      return { kind: 'asked', chat: { id: agentRunId, shortId: agentRunId, questionNumber: 1 } }
    },
    async readAnswer({ chat }) {
      const { status, messages, isChatDeleted } = tables.agentRuns.get(chat!.id)!
      if (isChatDeleted) return { kind: 'gone' }
      if (status === 'pending' || status === 'running') return { kind: 'answering', stepCount: messages.length }
      return { kind: 'ended', reply: { message: { text: 'Ten.', blocks: [] }, files: [] } }
    },
    async say({ id, replyTs }, { message }, signal) {
      const isFinal = !message.text.startsWith('Looking')
      try {
        await server.send({ id: isFinal ? finalReplyOf(id) : `${id} progress`, to: '', subject: '', text: '' }, signal)
        return { kind: 'said', replyTs: replyTs ?? `${id}.000100`, problem: null }
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof MailError)) throw error
        const { message: detail } = error
        const outcome = error.isFinal ? ({ kind: 'refused_for_good', detail, isChannelBroken: false } as const) : ({ kind: 'refused_for_now', detail } as const)
        return { kind: 'not_said', outcome, replyTs }
      }
    },
  }
}
