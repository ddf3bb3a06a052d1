import type { ClaimedSlackQuestion } from '@querypost/server/model'
import { newId, type SlackQuestionStore } from '@querypost/server/background-work'
import type { Random } from '@querypost/server/ports'
import { insertAgentRun } from './memory-agent-runs.ts'
import { after } from './memory-runs.ts'
import type { MemorySlackQuestion, MemoryWork, WorkRules } from './memory-work.ts'

export interface MemorySlackQuestions extends SlackQuestionStore {
  /** Asks the question in a chat of its own, and notes it. Returns the agent run; undefined when the lease is lost. */
  ask(question: ClaimedSlackQuestion): string | undefined
  /** Notes that a broken store has not written together with the question. */
  noteLeftOver(): void
  hasLeftOver(): boolean
}

/** The queue of questions from Slack, in memory. The chat of a question is that of its agent run. */
export function makeMemorySlackQuestionStore({ work, rules, random }: { work: MemoryWork; rules: WorkRules; random: Random }): MemorySlackQuestions {
  let leftOver: (() => void)[] = []
  return {
    async claim({ leaseMs, count }) {
      const now = rules.nowOf(work, 'Slack questions')
      const due = [...work.slackQuestions.values()]
        .filter(({ state, nextAttemptAt }) => (state === 'due' || state === 'waiting') && nextAttemptAt! <= now)
        .sort((a, b) => a.nextAttemptAt!.getTime() - b.nextAttemptAt!.getTime() || (a.id < b.id ? -1 : 1))
        .slice(0, count)
      for (const question of due) {
        work.write('slackQuestions', question, {
          state: 'due',
          attemptCount: question.attemptCount + 1,
          leaseNumber: question.leaseNumber + 1,
          ...(rules.isSlackQuestionLeased && { nextAttemptAt: after(work.now, leaseMs) }),
        })
      }
      return { questions: due.map(claimed), checkedCount: due.length }
    },
    ask({ id, leaseNumber, organizationId }) {
      const question = work.slackQuestions.get(id)!
      const isHeld = question.state === 'due' && question.leaseNumber === leaseNumber && question.recordedLease < leaseNumber
      if (!isHeld || question.agentRunId !== null) return undefined
      const asked = { organizationId, automationId: null, userId: 'user_x', trigger: 'question', triggerId: id } as const
      const { id: agentRunId } = insertAgentRun(work, random, asked)
      const note = () => work.write('slackQuestions', question, { agentRunId })
      if (rules.isAskedWithItsNote) note()
      else leftOver.push(note)
      return agentRunId
    },
    hasLeftOver: () => leftOver.length > 0,
    noteLeftOver() {
      const taken = leftOver
      leftOver = []
      for (const note of taken) note()
    },
    async record({ question: { id, leaseNumber, attemptNumber }, replyTs, decision, endedAgoMs }) {
      const question = work.slackQuestions.get(id)!
      if (rules.isSlackQuestionFenced) {
        if (question.recordedLease === leaseNumber) return true
        if (question.state !== 'due' || question.leaseNumber !== leaseNumber) return false
      }
      const recorded = { recordedLease: leaseNumber, replyTs: replyTs ?? question.replyTs }
      switch (decision.state) {
        case 'waiting':
          work.write('slackQuestions', question, {
            ...recorded,
            state: 'waiting',
            attemptCount: 0,
            toldSteps: decision.toldSteps,
            nextAttemptAt: after(work.now, decision.waitMs),
          })
          break
        case 'due':
          work.write('slackQuestions', question, { ...recorded, nextAttemptAt: after(work.now, decision.waitMs - Math.round(endedAgoMs)) })
          break
        case 'given_back':
          work.write('slackQuestions', question, { ...recorded, nextAttemptAt: work.now, attemptCount: attemptNumber - 1 })
          break
        default:
          work.write('slackQuestions', question, { ...recorded, state: decision.state, nextAttemptAt: null })
      }
      return true
    },
  }
}

export function insertSlackQuestion(work: MemoryWork, random: Random, question: Pick<MemorySlackQuestion, 'organizationId' | 'isByMember'>): string {
  const id = newId(random, 'sq')
  work.insert('slackQuestions', {
    ...question,
    id,
    state: 'due',
    agentRunId: null,
    replyTs: null,
    toldSteps: 0,
    nextAttemptAt: work.now,
    attemptCount: 0,
    leaseNumber: 0,
    recordedLease: 0,
  })
  return id
}

const claimed = (question: MemorySlackQuestion): ClaimedSlackQuestion => ({
  id: question.id,
  leaseNumber: question.leaseNumber,
  attemptNumber: question.attemptCount,
  organizationId: question.organizationId,
  channelId: 'chn_a',
  settings: {},
  sealedSecret: null,
  slackUserId: 'U1',
  conversation: 'C1',
  threadTs: '1.000100',
  isShared: false,
  text: 'How many?',
  chat: question.agentRunId === null ? null : { id: question.agentRunId, shortId: question.agentRunId, questionNumber: 1 },
  replyTs: question.replyTs,
  toldSteps: question.toldSteps,
})
