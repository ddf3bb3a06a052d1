import type { Caller } from '../../model/caller.ts'
import type { Message, MessageContent } from '../../model/chat.ts'
import type { ClaimedSlackQuestion } from '../../model/slack-question.ts'
import { readMessages } from '../../store/chats/read-messages.ts'
import type { Db } from '../../store/db.ts'
import type { SharedFile } from '../channels/channel-message.ts'
import { renderSection, type SectionDeps } from '../reports/render-section.ts'
import { shownResults } from '../reports/shown-results.ts'
import type { Answer } from './advance-question.ts'
import { type ExchangeEnd, renderAnswer } from './render-answer.ts'

export type ReadAnswerDeps = SectionDeps & { db: Db; baseUrl: string }

/** More would make the thread long; the chat has all of them. */
const chartsMax = 3
const numberMax = 2_147_483_647

/** What the chat says about a question so far. Its charts are drawn when it has ended. */
export async function readAnswer(deps: ReadAnswerDeps, { organizationId, chat }: ClaimedSlackQuestion): Promise<Answer> {
  const { id: chatId, shortId, questionNumber } = chat!
  const exchange = exchangeOf(await readMessages(deps.db, { chatId, ranges: [{ from: questionNumber, to: numberMax }] }), questionNumber)
  if (!exchange) return { kind: 'gone' }
  const end = exchange.map(({ content }) => content).findLast(isEnd)
  if (!end) return { kind: 'answering', stepCount: exchange.filter(({ content }) => content.kind === 'query_run').length }
  const notes = exchange.flatMap(({ content, agentRunId }) => (content.kind === 'note' && agentRunId === null ? [content.text] : []))
  const message = renderAnswer({ end, notes, baseUrl: deps.baseUrl, link: `${deps.baseUrl}/chats/${shortId}` })
  return { kind: 'ended', reply: { message, files: end.kind === 'answer' ? await drawCharts(deps, { organizationId }, exchange) : [] } }
}

const isEnd = (content: MessageContent): content is ExchangeEnd => content.kind === 'answer' || content.kind === 'failure'

/** The question and everything up to the next one. Undefined if the chat was deleted. */
export function exchangeOf(messages: readonly Message[], questionNumber: number): Message[] | undefined {
  if (messages[0]?.number !== questionNumber) return undefined
  const next = messages.findIndex(({ number, content }) => number > questionNumber && content.kind === 'question')
  return messages.slice(0, next === -1 ? undefined : next)
}

async function drawCharts(deps: ReadAnswerDeps, caller: Pick<Caller, 'organizationId'>, messages: Message[]): Promise<SharedFile[]> {
  const charts = (await shownResults(deps, caller, messages)).filter(({ visualization }) => visualization !== null && visualization.type !== 'table')
  const files: SharedFile[] = []
  for (const chart of charts.slice(0, chartsMax)) {
    const { section, image } = await renderSection(deps, chart, { imageId: 'chart' })
    if (section.kind === 'chart' && image) files.push({ title: section.title, altText: section.alt, fileName: 'chart.png', bytes: image.bytes })
  }
  return files
}
