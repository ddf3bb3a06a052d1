import { Type } from 'typebox'
import { downloadFormats } from '../../domain/results/downloads.ts'
import { closed, oneOf, QueryResult } from '../schemas.ts'
import { contentTypes } from '../send-download.ts'

/** The format of a result, in the query string. */
export const ResultQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Unsafe<(typeof downloadFormats)[number]>({
        ...oneOf(downloadFormats),
        description: 'Format of the result; default JSON. The other formats are file downloads with a name in `Content-Disposition`.',
        examples: ['csv'],
      }),
    ),
    raw: Type.Optional(
      Type.Unsafe<'1'>({
        ...oneOf(['1']),
        description:
          'Only with `format=csv`, rejected with any other format: do not escape texts. By default, a text that a spreadsheet would execute as a formula is prefixed with an apostrophe.',
        examples: ['1'],
      }),
    ),
  },
  closed,
)

/** The content types of the formats. */
export const ResultContent = {
  description: 'The result in the requested format.',
  content: {
    'application/json': { schema: QueryResult },
    ...Object.fromEntries(
      Object.values(contentTypes).map((type) => {
        const isText = /^text|jsonl/.test(type)
        return [type.split(';')[0]!, { schema: Type.String(isText ? {} : { format: 'binary' }) }]
      }),
    ),
  },
}
