import type { BrokenEngine } from './broken-engine.ts'

export const brokenSlackQuestions: readonly BrokenEngine[] = [
  {
    // A crash between the two asks the question twice.
    name: 'Slack question asked apart from its note',
    noticedBy: ['Slack questions'],
    workRules: { isAskedWithItsNote: false },
  },
  {
    // A crash between the two loses the answer.
    name: 'Slack answer recorded before sending',
    noticedBy: ['Slack questions'],
    spoils: {
      slackQuestions: (deps) => ({
        ...deps,
        slackQuestions: {
          ...deps.slackQuestions,
          async claim(options) {
            const claim = await deps.slackQuestions.claim(options)
            for (const question of claim.questions.filter(({ chat }) => chat !== null)) {
              await deps.slackQuestions.record({ question, replyTs: null, decision: { state: 'answered', reason: null }, endedAgoMs: 0 })
            }
            return claim
          },
        },
      }),
    },
  },
  {
    // An answer that its agent has not given yet.
    name: 'Slack answer sent while the agent works',
    noticedBy: ['Slack questions'],
    spoils: {
      slackQuestions: (deps) => ({
        ...deps,
        slackQuestionPorts: {
          ...deps.slackQuestionPorts,
          readAnswer: async () => ({ kind: 'ended', reply: { message: { text: 'Ten.', blocks: [] }, files: [] } }),
        },
      }),
    },
  },
  {
    // Someone whose answer was refused once never gets it.
    name: 'every refusal of Slack is permanent',
    noticedBy: ['Slack questions'],
    spoils: {
      slackQuestions: (deps) => ({
        ...deps,
        slackQuestions: {
          ...deps.slackQuestions,
          record: (record) => {
            const { decision } = record
            return deps.slackQuestions.record(decision.state === 'due' ? { ...record, decision: { state: 'failed', reason: decision.reason } } : record)
          },
        },
      }),
    },
  },
  { name: 'Slack question not fenced', noticedBy: ['Slack questions'], workRules: { isSlackQuestionFenced: false } },
  { name: 'Slack question not leased', noticedBy: ['Slack questions'], workRules: { isSlackQuestionLeased: false } },
  {
    name: 'Slack question due by machine clock',
    noticedBy: ['Slack questions'],
    workRules: { nowOf: (work, kind) => (kind === 'Slack questions' ? work.callerNow : work.now) },
  },
]
