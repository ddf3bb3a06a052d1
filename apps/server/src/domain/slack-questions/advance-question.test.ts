import { expect, test } from 'vitest'
import type { ClaimedSlackQuestion } from '../../model/slack-question.ts'
import { advanceQuestion, type Answer, type Said, type SlackQuestionPorts } from './advance-question.ts'
import type { Asked } from './ask-in-thread.ts'
import type { Asker } from './find-asker.ts'
import { chatDeletedReply, declined } from './replies.ts'

const chat = { id: 'chat_1', shortId: 'k7Rm2QwXn4', questionNumber: 1 }
const received: ClaimedSlackQuestion = {
  id: 'sq_1',
  leaseNumber: 1,
  attemptNumber: 1,
  organizationId: 'org_1',
  channelId: 'chn_1',
  settings: {},
  sealedSecret: null,
  slackUserId: 'U1',
  conversation: 'C1',
  threadTs: '1.000100',
  isShared: false,
  text: 'How many?',
  chat: null,
  replyTs: null,
  toldSteps: 0,
}
const asked = { ...received, chat, replyTs: '2.000100' }

const member: Asker = { kind: 'member', caller: { organizationId: 'org_1', userId: 'user_1', role: 'member', triggerId: 'user_1' } }
const answering = (stepCount: number): Answer => ({ kind: 'answering', stepCount })
const ended: Answer = { kind: 'ended', reply: { message: { text: 'Ten.', blocks: [] }, files: [] } }
const busy: Said = { kind: 'not_said', outcome: { kind: 'refused_for_now', detail: 'Busy.', retryAfterMs: 9_000 }, replyTs: null }

/** Takes a question further in a world that behaves as given. Returns what happened, and what was said. */
async function advance(
  question: ClaimedSlackQuestion,
  world: { asker?: Asker; asked?: Asked; answer?: Answer; said?: Said } = {},
): Promise<{ step: unknown; said: string[]; askCount: number }> {
  const said: string[] = []
  let askCount = 0
  const ports: SlackQuestionPorts = {
    findAsker: async () => world.asker ?? member,
    async ask() {
      askCount += 1
      return world.asked ?? { kind: 'asked', chat }
    },
    readAnswer: async () => world.answer ?? answering(0),
    async say({ replyTs }, { message }) {
      said.push(message.text)
      return world.said ?? { kind: 'said', replyTs: replyTs ?? '2.000100', problem: null }
    },
  }
  const step = await advanceQuestion(ports, question, new AbortController().signal)
  return { step, said, askCount }
}

test('asks, says that it is looking, and waits', async () => {
  expect(await advance(received)).toEqual({ step: { kind: 'waiting', replyTs: '2.000100', toldSteps: 0 }, said: ['Looking …'], askCount: 1 })
})

test('does not ask again what was asked before', async () => {
  expect(await advance({ ...received, chat }, { answer: ended })).toMatchObject({ said: ['Ten.'], askCount: 0 })
})

test('tells of progress only if there is some', async () => {
  expect(await advance({ ...asked, toldSteps: 2 }, { answer: answering(2) })).toMatchObject({ step: { kind: 'waiting', toldSteps: 2 }, said: [] })
  expect(await advance(asked, { answer: answering(1) })).toMatchObject({ step: { kind: 'waiting', toldSteps: 1 }, said: ['Looking … 1 query so far.'] })
  expect(await advance(asked, { answer: answering(3) })).toMatchObject({ said: ['Looking … 3 queries so far.'] })
})

test('keeps waiting if progress cannot be shown, but not without any reply', async () => {
  expect((await advance(asked, { answer: answering(1), said: busy })).step).toEqual({ kind: 'waiting', replyTs: '2.000100', toldSteps: 0 })
  expect((await advance(received, { said: busy })).step).toEqual({ kind: 'refused_for_now', detail: 'Busy.', retryAfterMs: 9_000, replyTs: null })
})

test('replaces the reply by the answer', async () => {
  expect((await advance(asked, { answer: ended })).step).toEqual({ kind: 'answered', replyTs: '2.000100', problem: null })
})

test('says that the chat was deleted', async () => {
  expect(await advance(asked, { answer: { kind: 'gone' } })).toMatchObject({ step: { kind: 'answered' }, said: [chatDeletedReply] })
})

test('remembers a reply that was posted although its chart was refused', async () => {
  const said: Said = { ...busy, replyTs: '3.000100' }
  expect((await advance({ ...received, chat }, { answer: ended, said })).step).toMatchObject({ kind: 'refused_for_now', replyTs: '3.000100' })
})

test.each<[string, Partial<ClaimedSlackQuestion>, Asker, string]>([
  ['a stranger', {}, { kind: 'declined', why: 'not_a_member' }, declined.not_a_member],
  ['a stranger who asks nothing', { text: '' }, { kind: 'declined', why: 'not_a_member' }, declined.not_a_member],
  ['a mention without a question', { text: '' }, member, declined.nothing_asked],
  ['a question that is too long', { text: 'x'.repeat(20_001) }, member, declined.too_long],
  ['a conversation that strangers read', { isShared: true }, member, declined.shared],
])('declines %s, without asking', async (_, change, asker, reason) => {
  expect(await advance({ ...received, ...change }, { asker })).toEqual({
    step: { kind: 'declined', replyTs: '2.000100', reason },
    said: [reason],
    askCount: 0,
  })
})

test('says why a question was refused', async () => {
  const reason = 'No model is set up to answer.'
  expect(await advance(received, { asked: { kind: 'declined', reason } })).toMatchObject({ step: { kind: 'declined', reason }, said: [reason] })
})

test('tries again later if Slack does not say who asks, and gives up if it never will', async () => {
  const unknown = (outcome: Extract<Asker, { kind: 'unknown' }>['outcome']): Asker => ({ kind: 'unknown', outcome })
  const later = await advance(received, { asker: unknown({ kind: 'refused_for_now', detail: 'Busy.' }) })
  expect(later).toEqual({ step: { kind: 'refused_for_now', detail: 'Busy.', replyTs: null }, said: [], askCount: 0 })
  const never = await advance(received, { asker: unknown({ kind: 'refused_for_good', detail: 'No.', isChannelBroken: true }) })
  expect(never.step).toEqual({ kind: 'refused_for_good', detail: 'No.', replyTs: null })
})
