import type { AttachmentKind, NewReport, Report, ReportRecipient, ReportValues, ReportWhen } from '../../../api/reports.ts'
import type { Severity } from '../../../api/automations.ts'
import type { Values } from '../../../parameters/values.ts'

/** A report as its form holds it. Values of unselected options are kept, so switching back and forth loses nothing. */
export interface ReportDraft {
  content: 'summary' | 'board'
  boardShortId: string
  /** The id of a channel, or `email`. */
  target: string
  recipients: ReportRecipient[]
  conversation: string
  when: ReportWhen
  minimumSeverity: Severity | null
  attachments: AttachmentKind[]
  /** Where the values of the board's parameters come from; `same` for the defaults of the board. */
  valuesFrom: 'same' | 'list' | 'query'
  /** By `keyOf` the recipient. */
  ownValues: Record<string, Values>
  valuesQuery: Omit<ReportValues & { kind: 'query' }, 'kind'>
}

export const newReportDraft: ReportDraft = {
  content: 'summary',
  boardShortId: '',
  target: 'email',
  recipients: [],
  conversation: '',
  when: 'always',
  minimumSeverity: null,
  attachments: [],
  valuesFrom: 'same',
  ownValues: {},
  valuesQuery: { referenceShortId: '', emailColumn: '', columns: {} },
}

/** Whether only a board can be attached in this form. */
export const isOfBoard = (kind: AttachmentKind) => kind === 'png' || kind === 'pdf'

/** Tells recipients apart. */
export function keyOf(recipient: ReportRecipient): string {
  if (recipient.kind === 'member') return recipient.userId
  if (recipient.kind === 'group') return recipient.groupId
  return recipient.kind === 'address' ? recipient.email.toLowerCase() : recipient.kind
}

export function toReportDraft({ content, target, when, minimumSeverity, attachments, values }: Report): ReportDraft {
  const entries = values?.kind === 'list' ? values.entries : []
  const recipients = [...(target.kind === 'email' ? target.recipients : []), ...entries.map(({ recipient }) => recipient)]
  return {
    ...newReportDraft,
    content: content.kind,
    ...(content.kind === 'board' && { boardShortId: content.boardShortId }),
    target: target.kind === 'email' ? 'email' : target.channelId,
    recipients: withoutRepeats(recipients),
    ...(target.kind === 'channel' && target.conversation !== undefined && { conversation: target.conversation }),
    when,
    minimumSeverity,
    attachments,
    valuesFrom: values?.kind ?? 'same',
    ownValues: Object.fromEntries(entries.map((entry) => [keyOf(entry.recipient), entry.values])),
    ...(values?.kind === 'query' && {
      valuesQuery: { referenceShortId: values.referenceShortId, emailColumn: values.emailColumn, columns: values.columns },
    }),
  }
}

export const withoutRepeats = (recipients: ReportRecipient[]): ReportRecipient[] => [
  ...new Map(recipients.map((recipient) => [keyOf(recipient), recipient])).values(),
]

/** The request body. The service validates it, so the form doesn't repeat its rules. */
export function toReport(draft: ReportDraft): NewReport {
  const { content, boardShortId, target, recipients, conversation, when, attachments } = draft
  return {
    content: content === 'board' && when !== 'alert' ? { kind: 'board', boardShortId } : { kind: 'summary' },
    target:
      target === 'email'
        ? { kind: 'email', recipients }
        : { kind: 'channel', channelId: target, ...(conversation !== '' && { conversation }) },
    when,
    minimumSeverity: when === 'alert' ? draft.minimumSeverity : null,
    attachments: when === 'alert' ? [] : attachments.filter((kind) => content === 'board' || !isOfBoard(kind)),
    values: valuesOf(draft),
  }
}

function valuesOf({ content, target, recipients, valuesFrom, ownValues, valuesQuery }: ReportDraft): ReportValues | null {
  if (content !== 'board' || target !== 'email' || valuesFrom === 'same') return null
  if (valuesFrom === 'query') {
    const { referenceShortId, emailColumn, columns } = valuesQuery
    const given = Object.entries(columns).filter(([, column]) => column.trim() !== '')
    return { kind: 'query', referenceShortId, emailColumn: emailColumn.trim(), columns: Object.fromEntries(given) }
  }
  const entries = recipients.flatMap((recipient) => {
    const given = Object.entries(ownValues[keyOf(recipient)] ?? {}).filter(([, value]) => value.length > 0)
    return given.length === 0 ? [] : [{ recipient, values: Object.fromEntries(given) }]
  })
  return entries.length === 0 ? null : { kind: 'list', entries }
}

/** The recipient that a typed text stands for, if it is an address. */
export function addressIn(text: string): (ReportRecipient & { kind: 'address' }) | undefined {
  const email = text.trim().replace(/[,;]$/, '').toLowerCase()
  return /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(email) ? { kind: 'address', email } : undefined
}
