import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CsvReading } from './generated/schemas.ts'
import { upload } from './upload.ts'

export type { ColumnType, CsvReading, FilePreview } from './generated/schemas.ts'

/** Enough to detect how a file is read. */
const beginningBytes = 256 * 1024

const asText = (value: boolean): 'true' | 'false' => (value ? 'true' : 'false')

/** The reading as parameters of a URL. */
export const readingQuery = ({ types, hasHeader, ...layout }: Partial<CsvReading>) => ({
  ...layout,
  ...(hasHeader !== undefined && { hasHeader: asText(hasHeader) }),
  ...(types && { types: types.join(',') }),
})

export interface FileToPreview {
  file: File
  given: Partial<CsvReading>
  /** Of a workbook: the first one if undefined. */
  sheet?: string | undefined
}

export const isWorkbook = ({ name }: Pick<File, 'name'>) => /\.xlsx$/i.test(name)

/** How the service reads a CSV file or a sheet. Of a CSV file, only the beginning of the file is sent. */
export const filePreviewOptions = (databaseId: string, { file, given, sheet }: FileToPreview) =>
  queryOptions({
    queryKey: ['file-previews', databaseId, file.name, file.size, file.lastModified, given, sheet],
    queryFn: ({ signal }) => {
      const query = isWorkbook(file)
        ? { format: 'xlsx' as const, sheet, ...readingQuery(given) }
        : { format: 'csv' as const, isWhole: asText(file.size <= beginningBytes), ...readingQuery(given) }
      const sent = isWorkbook(file) ? file : file.slice(0, beginningBytes)
      return upload('POST /databases/{id}/tables/preview', sent, { params: { id: databaseId }, query }, { signal, onProgress: () => {} })
    },
    staleTime: Infinity,
    retry: false,
    placeholderData: keepPreviousData,
  })
