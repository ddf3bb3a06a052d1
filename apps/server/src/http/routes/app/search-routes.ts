import { Type } from 'typebox'
import { searchEverything } from '../../../domain/search/search.ts'
import type { BaseServices } from '../../../domain/services.ts'
import { foundKinds } from '../../../model/search.ts'
import { callerOf } from '../../authenticate.ts'
import { closed, described, namedEnum, NullableText, wholeList } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

const FoundItem = Type.Object(
  {
    kind: namedEnum('FoundKind', foundKinds),
    id: described(
      Type.String(),
      'The short id of a board, a query or a chat; the id of an automation; the id of the database of a table or a column.',
    ),
    title: Type.String(),
    description: NullableText,
    table: described(NullableText, 'The table of a table or a column, with its schema.'),
    isVerified: Type.Boolean({ description: 'Whether it is a verified query.' }),
  },
  { title: 'FoundItem', description: 'Something of the organization that matches a search.' },
)

const SearchQuery = Type.Object(
  {
    q: Type.String({ minLength: 1, maxLength: 200 }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
  },
  closed,
)

const usualLimit = 20

/** Searches everything, for the command menu. */
export function searchRoutes(api: Api, services: BaseServices): void {
  api.get('/app/api/search', { schema: { querystring: SearchQuery, response: { 200: wholeList(FoundItem) } } }, async (request) => {
    const { q, limit = usualLimit } = request.query
    return { items: await searchEverything(services, callerOf(request), { text: q, limit }) }
  })
}
