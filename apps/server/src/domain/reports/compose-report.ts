import type { ChannelKind } from '../../model/channel.ts'
import type { RecipientValues, UnlinkedReport } from '../../model/report.ts'
import type { NewReportContent, NewReportDelivery, PreparedReport } from '../../model/report-work.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { newId, newOrderedId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { TokenBucket } from '../token-bucket.ts'
import { linkFiles } from './link-files.ts'
import { groupByValues, type ListedRecipient } from './list-recipients.ts'
import { dueInMs } from './report-pace.ts'

/** Where the documents of a job go. */
export type ReportAudience =
  | { kind: 'email'; recipients: ListedRecipient[] }
  | { kind: 'channel'; channelId: string; name: string; channelKind: ChannelKind }

/**
 * The documents and deliveries of a job. Each distinct set of values is rendered once, whatever the number of its recipients. If a set
 * cannot be rendered, its recipients get nothing and the others are not affected; `problems` says why.
 */
export async function composeReport(
  deps: {
    clock: Clock
    random: Random
    reportPace: TokenBucket
    render(values: RecipientValues | null): Promise<UnlinkedReport>
    /** The link to a file of a document, by which its recipients download it. */
    linkTo(file: { contentId: string; position: number }): string
  },
  audience: ReportAudience,
  purpose: 'report' | 'test',
): Promise<PreparedReport & { problems: string[] }> {
  const contents: NewReportContent[] = []
  const deliveries: NewReportDelivery[] = []
  const problems: string[] = []

  async function add(values: RecipientValues | null, targets: Pick<NewReportDelivery, 'recipient' | 'userId' | 'channelId'>[]): Promise<void> {
    try {
      const contentId = newId(deps.random, 'rct')
      const rendered = await deps.render(values)
      const document = linkFiles(rendered, (position) => deps.linkTo({ contentId, position }))
      contents.push({ ...rendered, id: contentId, document })
      for (const target of targets) {
        // Those of one document follow each other: the worker keeps only the last few documents.
        const dueIn = dueInMs(deps.reportPace, deliveries.length)
        deliveries.push({ id: newOrderedId(deps, 'rdl'), purpose, ...target, values, contentId, dueInMs: dueIn })
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(values === null ? error.message : `${JSON.stringify(values)}: ${error.message}`)
    }
  }

  if (audience.kind === 'channel') await add(null, [{ recipient: audience.name, userId: null, channelId: audience.channelId }])
  else {
    // One after the other: they mostly need the same queries, and a query runs once at a time.
    for (const { values, recipients } of groupByValues(audience.recipients)) {
      await add(values, recipients.map(({ email, userId }) => ({ recipient: email, userId, channelId: null })))
    }
  }
  return { contents, deliveries, problems }
}
