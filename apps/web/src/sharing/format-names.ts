import type { ViewerDownload } from '../api/generated/schemas.ts'

/** Names of the formats that viewers may download. */
export const formatNames: Record<ViewerDownload, string> = { csv: 'CSV', xlsx: 'Excel', png: 'PNG' }
