import type { Channel, Conversation } from '../../../api/channels.ts'
import type { ReportRecipient } from '../../../api/reports.ts'
import { newReportDraft, type ReportDraft, withoutRepeats } from '../reports/report-draft.ts'
import type { Titled } from './references.ts'
import type { Remarks } from './remarks.ts'
import { cutText, type Sentence } from './sentence.ts'

export interface TargetContext {
  boards: Titled[]
  /** `conversations`: the Slack channels that a bot can post to. */
  channels: (Pick<Channel, 'id' | 'kind' | 'name'> & { conversations?: Conversation[] })[]
  /** The person who writes: "e-mail me". */
  userId: string | undefined
  /** Groups of members: "the Sales team". */
  groups: { id: string; name: string }[]
}

/**
 * Where reports go: "e-mail jane@example.com the Sales board and post it in #sales". The members of a group share a report. Each place becomes a report of the board that is
 * named, or else of the summary. A channel that does not exist is reported.
 */
export function readTargets(sentence: Sentence, context: TargetContext, remarks: Remarks): { reports: ReportDraft[]; board: Titled | undefined } {
  const board = readBoard(sentence, context.boards, remarks)
  const recipients: ReportRecipient[] = []
  const places = new Map<string, Place>()
  const { order, another } = patternsWith(context.groups)
  const add = (target: string) => {
    const group = context.groups.find(({ name }) => isTeam(name, target))
    if (group) recipients.push({ kind: 'group', groupId: group.id, name: group.name })
    else if (/@/.test(target.slice(1))) recipients.push({ kind: 'address', email: target.toLowerCase() })
    else if (/^me$/i.test(target)) {
      if (context.userId !== undefined) recipients.push({ kind: 'member', userId: context.userId })
    } else {
      const found = findPlaces(target, context.channels)
      const [only] = found
      if (found.length === 1 && only!.kind === 'slack_bot' && only!.conversation === '') {
        remarks.notUnderstood.push(`${only!.name} has several channels. Name one, such as #sales.`)
      } else if (found.length === 1) places.set(`${only!.target} ${only!.conversation}`, only!)
      else remarks.notUnderstood.push(found.length > 1 ? `Several channels fit ${target}. Choose one in the form.` : missing(target))
    }
  }
  for (let span = sentence.find(order); span; span = sentence.find(order)) {
    sentence.cut(span)
    add(span.groups.find((group) => group !== undefined)!)
    for (let more = sentence.find(another); more; more = sentence.find(another)) {
      sentence.cut(more)
      add(more.groups[0]!)
    }
  }
  const reportTo = (target: Pick<ReportDraft, 'target' | 'conversation'> | Pick<ReportDraft, 'recipients'>): ReportDraft => ({
    ...newReportDraft,
    ...(board && { content: 'board', boardShortId: board.shortId }),
    ...target,
  })
  const reports = [...places.values()].map(({ target, conversation }) => reportTo({ target, conversation }))
  if (recipients.length > 0) reports.unshift(reportTo({ recipients: withoutRepeats(recipients) }))
  return { reports, board }
}

const missing = (target: string) => `No channel for ${target} yet. An admin can add it in Settings, Channels.`

const address = String.raw`[^\s@,;<>()\uE000\uE001]+@[^\s@,;<>()\uE000\uE001]+\.[a-z]{2,}`
const thing = String.raw`(?:it|this|that|them|(?:the|a)\s+(?:report|summary|results?|answer|update)|${cutText})`
const conjunction = String.raw`(?:,?\s*\b(?:and|then)\s+)*`

function patternsWith(groups: TargetContext['groups']) {
  const teams = groups.map(({ name }) => teamPattern(name)).toSorted((one, other) => other.length - one.length)
  const place = String.raw`(${[address, String.raw`#[\w-]+`, ...teams, String.raw`(?:microsoft\s+)?teams\b`, String.raw`slack\b`].join('|')})`
  return {
    /** A place after a verb, with what is sent before or after it; or "e-mail me". */
    order: new RegExp(
      String.raw`${conjunction}\b(?:(?:e-?mail|mail|send|post|share|forward|publish)(?:\s+${thing})?(?:\s+(?:by|via)\s+e-?mail)?(?:\s+(?:to|in|on|into|with|via))?\s+(?:the\s+|our\s+)?${place}(?:\s+channel\b)?(?:\s+${thing})?|(?:e-?mail|mail)\s+(?:${thing}\s+to\s+)?(me)\b(?:\s+${thing})?)`,
      'iu',
    ),
    another: new RegExp(String.raw`(?<=${cutText})(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:to\s+|in\s+|on\s+)?(?:the\s+|our\s+)?${place}`, 'iu'),
  }
}

const teamWord = /\s+(?:team|group)$/i

/** The group "Sales" is "the Sales team" in a sentence, so that "e-mail me the sales" does not name it. */
function teamPattern(name: string): string {
  const words = name.trim().split(/\s+/).map(escape).join(String.raw`\s+`)
  return teamWord.test(name) ? String.raw`${words}(?![\p{L}\p{N}])` : String.raw`${words}\s+(?:team|group)\b`
}

const plain = (words: string) => words.trim().replaceAll(/\s+/g, ' ').toLowerCase()

function isTeam(name: string, text: string): boolean {
  return plain(text) === plain(name) || plain(text.replace(teamWord, '')) === plain(name)
}

interface Place extends Pick<ReportDraft, 'target' | 'conversation'>, Pick<Channel, 'kind' | 'name'> {}

/** A Slack channel by its name, or the only channel of a kind. A channel that is set up by itself comes before one that a bot can see. */
function findPlaces(wanted: string, channels: TargetContext['channels']): Place[] {
  const placeIn = ({ id, kind, name }: TargetContext['channels'][number], conversation = ''): Place => ({ target: id, conversation, kind, name })
  if (wanted.startsWith('#')) {
    const isNamed = ({ name }: { name: string }) => name.toLowerCase().replace(/^#/, '') === wanted.slice(1).toLowerCase()
    const own = channels.filter((channel) => channel.kind !== 'slack_bot' && isNamed(channel)).map((channel) => placeIn(channel))
    if (own.length > 0) return own
    return channels.flatMap((channel) => (channel.conversations ?? []).filter(isNamed).map(({ id }) => placeIn(channel, id)))
  }
  const isWanted = (kind: Channel['kind']) => (/teams/i.test(wanted) ? kind === 'teams' : kind === 'slack_webhook' || kind === 'slack_bot')
  return channels.filter(({ kind }) => isWanted(kind)).map((channel) => placeIn(channel))
}

const boardName = /\b(?:the\s+|my\s+|our\s+)?((?:[\p{L}\p{N}&’'-]+\s+){1,6}?)(?:dash)?board\b/iu

/** "the Sales board": the board with this title, or the only one whose title has these words. */
function readBoard(sentence: Sentence, boards: Titled[], remarks: Remarks): Titled | undefined {
  const byLength = boards.toSorted((one, other) => other.title.length - one.title.length)
  for (const board of byLength) {
    const words = board.title.trim().split(/\s+/).map(escape).join(String.raw`\s+`)
    const span = sentence.find(new RegExp(String.raw`(?<![\p{L}\p{N}])(?:the\s+)?[“"]?${words}[”"]?\s+(?:dash)?board\b`, 'iu'))
    if (!span) continue
    sentence.cut(span)
    return board
  }
  const span = sentence.find(boardName)
  const wanted = span?.groups[0]?.trim().toLowerCase().split(/\s+/).at(-1)
  if (!span || wanted === undefined) return undefined
  const found = boards.filter(({ title }) => title.toLowerCase().split(/\s+/).includes(wanted))
  if (found.length !== 1) {
    remarks.notUnderstood.push(`No board named “${wanted}” found. Choose the board in the form.`)
    return undefined
  }
  sentence.cut(sentence.find(new RegExp(String.raw`\b(?:(?:the|my|our)\s+)?${escape(wanted)}\s+(?:dash)?board\b`, 'iu'))!)
  remarks.assumptions.push(`Sending the board “${found[0]!.title}”.`)
  return found[0]
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
