import { expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { attachmentMaxBytes } from './attachment-max-bytes.ts'
import type { AttachmentSource, AttachmentWriters } from './attachment-writers.ts'
import { linkExpiry, makePdfWriter, makePngWriter, writeAttachments } from './attachments.ts'

const clock = manualClock()
const hours = (count: number) => new Date(clock.now().getTime() + count * 3600_000)
const { signal } = new AbortController()

const source: AttachmentSource = {
  title: 'Sales: north/south',
  results: [],
  boardImage: async () => Buffer.alloc(600),
  boardPdf: async () => Buffer.alloc(500),
}
const writers: AttachmentWriters = { png: makePngWriter({ clock }), pdf: makePdfWriter({ clock }) }
const write = (maxBytes: number) => writeAttachments(writers, source, { kinds: ['png', 'pdf'], maxBytes, signal })

test('files share one limit, and what exceeds it is linked', async () => {
  const both = await write(1_100)
  expect(both.files.map(({ fileName, bytes }) => [fileName, bytes.length])).toEqual([['Sales north south.png', 600], ['Sales north south.pdf', 500]])
  expect(both.linkedFiles).toEqual([])
  const one = await write(1_099)
  expect(one.files.map(({ contentType }) => contentType)).toEqual(['image/png'])
  expect(one.linkedFiles).toMatchObject([{ fileName: 'Sales north south.pdf', contentType: 'application/pdf', content: { kind: 'stored' }, expiresAt: hours(7 * 24) }])
  expect((await write(0)).linkedFiles).toHaveLength(2)
})

test('a summary has no image and no pages', async () => {
  const { title, results } = source
  expect(await writeAttachments(writers, { title, results }, { kinds: ['png', 'pdf'], maxBytes: 0, signal })).toEqual({ files: [], linkedFiles: [] })
})

test('a link ends with the first of its results, after seven days at the latest', () => {
  expect(linkExpiry(clock, [])).toEqual(hours(7 * 24))
  expect(linkExpiry(clock, [{ expiresAt: hours(24) }, { expiresAt: hours(20) }])).toEqual(hours(20))
  expect(linkExpiry(clock, [{ expiresAt: hours(1_000) }])).toEqual(hours(7 * 24))
})

test('only e-mails and Slack bots take files', () => {
  expect([null, 'slack_bot', 'slack_webhook', 'teams', 'webhook'].map((kind) => attachmentMaxBytes(kind as never) > 0)).toEqual([true, true, false, false, false])
})
