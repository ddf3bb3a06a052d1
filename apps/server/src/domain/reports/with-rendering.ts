import { type BoardImageDeps, makeBoardImages } from '../boards/board-image.ts'
import type { AttachmentWriters } from './attachment-writers.ts'
import { makeCsvWriter, makePdfWriter, makePngWriter } from './attachments.ts'
import { makeXlsxWriter } from './workbook-attachment.ts'

/** Adds what documents and their attachments are rendered with. A new kind of attachment is registered here. */
export function withRendering<Services extends BoardImageDeps>(services: Services) {
  const attachmentWriters: AttachmentWriters = {
    csv: makeCsvWriter(services),
    xlsx: makeXlsxWriter(services),
    png: makePngWriter(services),
    pdf: makePdfWriter(services),
  }
  return { ...services, attachmentWriters, boardImages: makeBoardImages(services) }
}
