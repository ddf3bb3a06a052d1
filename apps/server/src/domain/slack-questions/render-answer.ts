import { provenText } from '@querypost/answers'
import type { MessageContent, WrittenText } from '../../model/chat.ts'
import { escapeMrkdwn } from '../channels/slack/mrkdwn.ts'
import { renderText, type SlackBlock, type SlackMessage, slackLimits } from '../channels/slack/render-blocks.ts'
import { plainText } from '../plain-text.ts'
import { shortened } from '../shortened.ts'

/** How an exchange ended. */
export type ExchangeEnd = (WrittenText & { kind: 'answer' }) | Extract<MessageContent, { kind: 'failure' }>

/** Leaves room for what follows the text: Slack refuses messages with more than about 13,200 characters of blocks. */
const textBlocksMaxCharacters = 9_000
const previewMaxCharacters = 300
const followUpsMax = 3

/**
 * The end of an exchange as a message of Slack. Figures link to their runs; what is not proven is struck through, as in the chat. Text
 * that does not fit is left to the chat.
 */
export function renderAnswer(options: { end: ExchangeEnd; notes: readonly string[]; baseUrl: string; link: string }): SlackMessage {
  const { end, baseUrl, link } = options
  const notes = options.notes.flatMap((markdown) => renderText({ markdown, figures: [], base: baseUrl }))
  const body = end.kind === 'failure' ? [section(`I couldn’t answer that. ${escapeMrkdwn(shortened(end.reason, 1_500))}`)] : textOf(end, baseUrl)
  const { kept, isCut } = fitting([...notes, ...body])
  const blocks = [...kept]
  if (isCut) blocks.push(context('The rest of the answer is in Querypost.'))
  const followUps = end.kind === 'answer' ? (end.followUps ?? []).slice(0, followUpsMax) : []
  if (followUps.length > 0) {
    blocks.push(context(['You could ask next:', ...followUps.map((text) => `• ${escapeMrkdwn(shortened(text, 300))}`)].join('\n')))
  }
  blocks.push({ type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open in Querypost' }, url: link }] })
  return { text: escapeMrkdwn(previewOf(end)), blocks }
}

function textOf({ text, figures = [] }: Extract<ExchangeEnd, { kind: 'answer' }>, baseUrl: string): SlackBlock[] {
  const links = figures.flatMap(({ start, end, runId }) => (runId === null ? [] : [{ start, end, link: `${baseUrl}/runs/${runId}` }]))
  return renderText({ markdown: text, figures: links, base: baseUrl })
}

/** Notifications show no strikes, so they leave out what is not proven. */
function previewOf(end: ExchangeEnd): string {
  const text = end.kind === 'failure' ? `I couldn’t answer that. ${end.reason}` : plainText(provenText(end.text, end.figures ?? []))
  return shortened(text.replaceAll(/\s+/g, ' ').trim(), previewMaxCharacters) || 'Answered.'
}

function fitting(blocks: readonly SlackBlock[]): { kept: SlackBlock[]; isCut: boolean } {
  const kept: SlackBlock[] = []
  for (const block of blocks) {
    const isTooLong = JSON.stringify([...kept, block]).length > textBlocksMaxCharacters || kept.length >= slackLimits.blocks - 3
    if (isTooLong) return { kept, isCut: true }
    kept.push(block)
  }
  return { kept, isCut: false }
}

const section = (text: string): SlackBlock => ({ type: 'section', text: { type: 'mrkdwn', text } })
const context = (text: string): SlackBlock => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] })
