import { afterEach, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../../../testing/servers/mail-server.ts'
import { sampleDocument, sampleReport } from '../../../../testing/channels/sample-report.ts'
import { makeMail } from '../../../ports/smtp-mail.ts'
import type { ReportSection } from '../../../model/report.ts'
import type { OutgoingReport } from '../channel-sender.ts'
import { makeEmailSender } from './email-sender.ts'
import { renderEmailHtml } from './render-html.ts'
import { renderEmailText } from './render-text.ts'

const unsubscribeUrl = 'https://querypost.test/unsubscribe/abc?x=1&y=2'

describe('the HTML', () => {
  const html = renderEmailHtml(sampleDocument(), { unsubscribeUrl })

  test('links every figure and every title', () => {
    for (let proof = 1; proof <= 7; proof++) expect(html).toContain(`href="https://querypost.test/proofs/${proof}"`)
    for (const query of ['revenue', 'orders', 'days', 'best', 'stock']) expect(html).toContain(`href="https://querypost.test/q/${query}"`)
    expect(html).toMatch(/<a href="https:\/\/querypost\.test\/proofs\/1"[^>]*><strong>€12,345\.60<\/strong><\/a>/)
  })

  test('shows images by Content-ID with a description, and begins with the preview line', () => {
    expect(html).toMatch(/<img src="cid:image_1@querypost" alt="Line chart of revenue by day, Nov 9 to Nov 15"/)
    expect(html.indexOf('Revenue was €12,345.60 last week')).toBeLessThan(html.indexOf('<h1'))
  })

  test('formats and aligns values, and says how many rows are left out', () => {
    expect(html).toContain('Espresso &lt;machine&gt; &amp; grinder')
    expect(html).toMatch(/<td align="right"[^>]*>4,800\.50<\/td>/)
    expect(html).toContain('Showing 3 of 1,234 rows')
    expect(html).toContain('The query failed: table &quot;stock&quot; does not exist.')
  })

  test('can be unsubscribed from, unless it asks to confirm an address', () => {
    expect(html).toContain('href="https://querypost.test/unsubscribe/abc?x=1&amp;y=2"')
    expect(renderEmailHtml(sampleDocument(), { unsubscribeUrl: null })).not.toContain('nsubscribe')
  })

  test('has nothing that mail programs remove or distrust', () => {
    expect(html).not.toMatch(/<(script|link|iframe|form|svg)\b|\bon\w+=|url\(|position:|javascript:/i)
    const hostile = '"><script>alert(1)</script>\u0000'
    const sections: ReportSection[] = [{ kind: 'number', title: hostile, link: `https://x.test/${hostile}`, text: hostile, change: hostile }]
    expect(renderEmailHtml(sampleDocument({ title: hostile, preview: hostile, note: hostile, sections }), { unsubscribeUrl })).not.toMatch(/<script|\0/)
  })

  test('stays below the size at which Gmail cuts it off', () => {
    const [, , , , table] = sampleDocument().sections
    const rows = Array.from({ length: 20 }, () => ['x'.repeat(80), 1, '2'])
    const sections = Array.from({ length: 60 }, () => ({ ...table, rows }) as ReportSection)
    const long = renderEmailHtml(sampleDocument({ sections }), { unsubscribeUrl })
    expect(Buffer.byteLength(long)).toBeLessThan(102_000)
    expect(long).toMatch(/\d\d more sections in Querypost/)
    expect(long).toContain('Unsubscribe from this report')
  })
})

test('the text says the same, in columns', () => {
  const text = renderEmailText(sampleDocument(), { unsubscribeUrl })
  expect(text).toContain('Weekly sales\n\nNov 16, 2026, 08:00 UTC\n\nRevenue was €12,345.60 last week, 8.2% more than the week before.\n\n- Germany grew by 14%')
  expect(text).toContain('product                   units   revenue\nEspresso <machine> & gr…    120  4,800.50\nMug                          95')
  expect(text).toContain(`Unsubscribe from this report:\n${unsubscribeUrl}`)
})

test('large attachments are linked, with when the links expire', () => {
  const link = 'https://querypost.test/files/abc'
  const document = sampleDocument({ downloads: [{ fileName: 'sales.xlsx', link, sizeBytes: 12_582_912, expiresAt: '2026-11-23T08:00:00.000Z' }] })
  expect(renderEmailHtml(document, { unsubscribeUrl })).toMatch(/href="https:\/\/querypost\.test\/files\/abc"[^>]*>Download sales\.xlsx<\/a> \(12 MB, until Nov 23, 2026, 08:00 UTC\)/)
  expect(renderEmailText(document, { unsubscribeUrl })).toContain(`sales.xlsx (12 MB, until Nov 23, 2026, 08:00 UTC)\n${link}`)
})

describe('sending', () => {
  const never = new AbortController().signal
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  async function start(): Promise<{ server: MailServer; send(change?: Partial<OutgoingReport>): ReturnType<ReturnType<typeof makeEmailSender>['send']> }> {
    const server = await startMailServer()
    const mail = makeMail({ url: server.url, from: 'Querypost <querypost@example.com>' })
    closers.push(() => server.close(), () => mail.close())
    const to = { kind: 'email', address: 'ann@example.com', unsubscribeUrl } as const
    return { server, send: (change) => makeEmailSender({ mail }).send({ ...sampleReport(), deliveryId: 'rdl_1', to, ...change }, never) }
  }

  test('sends text, HTML, images and attachments, and how to unsubscribe with one click', async () => {
    const { server, send } = await start()
    const file = { fileName: 'Größe.csv', contentType: 'text/csv', bytes: Buffer.from('a\n1\n') }
    expect(await send({ attachments: [file] })).toEqual({ kind: 'sent' })
    const [email] = server.emails
    expect(Object.fromEntries(email!.headers)).toMatchObject({
      'message-id': '<rdl_1@querypost>',
      'list-unsubscribe': `<${unsubscribeUrl}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'content-type': expect.stringMatching(/^multipart\/mixed/),
    })
    expect(email!.text).toMatch(/Content-Type: multipart\/alternative[\s\S]*Content-Type: text\/plain[\s\S]*Content-Type: multipart\/related[\s\S]*Content-Type: text\/html/)
    expect(email!.text).toMatch(/Content-Type: image\/png[\s\S]*Content-ID: <image_1@querypost>/i)
    expect(email!.text).toMatch(/Content-Disposition: attachment/)
  })

  test.each([
    ['recipient', 550, { kind: 'refused_for_good', isChannelBroken: true }],
    ['recipient', 450, { kind: 'refused_for_now' }],
    ['content', 554, { kind: 'refused_for_good', isChannelBroken: false }],
  ] as const)('a rejection of the %s with %i is %o', async (place, status, outcome) => {
    const { server, send } = await start()
    server.answers[place].push({ status, message: 'no such mailbox' })
    expect(await send()).toMatchObject({ ...outcome, detail: expect.stringContaining('no such mailbox') })
  })
})
