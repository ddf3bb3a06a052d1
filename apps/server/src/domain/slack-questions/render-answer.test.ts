import type { Figure } from '@querypost/answers'
import { expect, test } from 'vitest'
import { faultInBlocks } from '../../../testing/servers/slack-blocks.ts'
import { renderAnswer } from './render-answer.ts'

const baseUrl = 'https://querypost.test'
const link = `${baseUrl}/chats/k7Rm2QwXn4`

function figure(text: string, within: string, runId: string | null): Figure {
  const start = within.indexOf(text)
  const isProven = runId !== null
  return { id: 'f1', text, isProven, value: isProven ? text : null, unit: isProven ? '' : null, runId, expression: null, start, end: start + text.length, reason: null }
}

const answer = (text: string, figures: Figure[] = [], followUps: string[] = []) =>
  renderAnswer({ end: { kind: 'answer', text, figures, followUps }, notes: [], baseUrl, link })

test('proven figures link to their runs, and others are struck through', () => {
  const text = 'We got **45** orders & about ~~900~~ visits.'
  const message = answer(text, [figure('45', text, 'run_1'), figure('900', text, null)])
  expect(message.blocks).toEqual([
    { type: 'section', text: { type: 'mrkdwn', text: 'We got *<https://querypost.test/runs/run_1|45>* orders &amp; about ~900~ visits.' } },
    { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open in Querypost' }, url: link }] },
  ])
  expect(message.text).toBe('We got 45 orders &amp; about [not verified] visits.')
})

test('suggests what to ask next, as text', () => {
  expect(answer('Yes.', [], ['By country?', 'By <week>?']).blocks[1]).toEqual({
    type: 'context',
    elements: [{ type: 'mrkdwn', text: 'You could ask next:\n• By country?\n• By &lt;week&gt;?' }],
  })
})

test('says why there is no answer, and what a chat cannot do', () => {
  const end = { kind: 'failure', reason: 'The query <failed>.' } as const
  const { text, blocks } = renderAnswer({ end, notes: ['I can’t send e-mail.'], baseUrl, link })
  expect(text).toBe('I couldn’t answer that. The query &lt;failed&gt;.')
  expect(blocks.slice(0, 2)).toMatchObject([{ text: { text: 'I can’t send e-mail.' } }, { text: { text } }])
})

test.each([
  ['a long text', 'word '.repeat(20_000)],
  ['many paragraphs', 'paragraph\n\n'.repeat(500)],
  ['many long paragraphs', `${'ü'.repeat(2_500)}\n\n`.repeat(50)],
  ['markup of Slack', '<!channel> <https://evil.test|x> *b* `c` | d\n\n| a | b |\n|---|---|\n| <@U1> | & |'],
])('stays within the limits of Slack with %s', (_, text) => {
  const { blocks } = answer(text, [], ['a'.repeat(1_000), 'b', 'c', 'd'])
  expect(faultInBlocks(blocks)).toBeNull()
  expect(JSON.stringify(blocks)).not.toMatch(/<!channel|<@U1|<https:\/\/evil/)
})

test('says that the rest is in Querypost', () => {
  expect(JSON.stringify(answer(`${'ü'.repeat(2_500)}\n\n`.repeat(50)).blocks)).toContain('The rest of the answer is in Querypost.')
})
