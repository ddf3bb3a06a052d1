import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CsvReading } from './generated/schemas.ts'
import { upload } from './upload.ts'

export type { ColumnType, CsvReading, FilePreview } from './generated/schemas.ts'

/** Enough to detect how a file is read. */
const beginningBytes = 256 * 1024

/** The reading as parameters of a URL. */
export const readingQuery = ({ types, hasHeader, ...layout }: Partial<CsvReading>) => ({
  ...layout,
  ...(hasHeader !== undefined && { hasHeader: asText(hasHeader) }),
  ...(types && { types: types.join(',') }),
})

const asText = (value: boolean) => (value ? 'true' : 'false')

/** How the service reads a CSV file. Only the beginning of the file is sent. */
export const filePreviewOptions = (databaseId: string, { file, given }: { file: File; given: Partial<CsvReading> }) =>
  queryOptions({
    queryKey: ['file-previews', databaseId, file.name, file.size, file.lastModified, given],
    queryFn: ({ signal }) => {
      const query = { isWhole: asText(file.size <= beginningBytes), ...readingQuery(given) }
      const beginning = file.slice(0, beginningBytes)
      return upload('POST /databases/{id}/tables/preview', beginning, { params: { id: databaseId }, query }, { signal, onProgress: () => {} })
    },
    staleTime: Infinity,
    retry: false,
    placeholderData: keepPreviousData,
  })
