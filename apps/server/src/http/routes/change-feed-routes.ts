import { Type } from 'typebox'
import { changeItem } from '../../domain/history/feed/change-item.ts'
import { editReferenceAndFeed } from '../../domain/history/feed/edit-reference-and-feed.ts'
import { listChanges } from '../../domain/history/feed/reference-changes.ts'
import type { QueryServices } from '../../domain/services.ts'
import type { ChangeFeed } from '../../model/change-feed.ts'
import type { VersionedReference } from '../../domain/references/references.ts'
import { callerOf } from '../authenticate.ts'
import { abortOnDisconnect } from '../uploads.ts'
import { presentReference } from '../present.ts'
import { OptionalIfMatch, readBasedOn, withEtag } from '../if-match.ts'
import { responses } from '../responses.ts'
import { ChangeList, ChangesQuery, JsonLines, PublishingReference, SavedQueryEdit } from '../schemas/change-feed-schemas.ts'
import { sendChangedRows, sendPatch } from '../send-changes.ts'
import type { Api } from '../typed.ts'
import { completeReference } from '../given-reference.ts'

const tags = ['Change feed']
const shortId = Type.String({ description: 'The reference’s `shortId`, as in its permalink.', examples: ['h5w8r3tzqa'] })
const number = Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'The number of the change.', examples: ['1'] })
const keyOf = (params: { shortId: string; number: string }) => ({ ...params, number: Number(params.number) })

/** The change feed of a reference, for programs. Not part of the retired API. */
export function changeFeedRoutes(api: Api, services: QueryServices): void {
  const { baseUrl } = services

  api.patch(
    '/api/references/:shortId',
    {
      config: { scope: 'write:queries' },
      schema: {
        operationId: 'references.patch',
        tags,
        summary: 'Change a saved query, or publish its changes',
        description:
          'Changes only the given fields. Changed SQL becomes a new query, and the reference moves to it. `publishesChanges` and `keyColumns` turn the change feed on or off, and chooses the columns that identify a row. From then on, every result of the reference with the default values of its parameters that differs from the one before becomes a change with the next number, and an event `reference.changed`. Without `keyColumns`, the smallest set of columns that is unique in the newest result is used.',
        params: Type.Object({ shortId }),
        headers: OptionalIfMatch,
        body: SavedQueryEdit,
        response: responses(200, PublishingReference, [
          'reference_not_found',
          'database_not_found',
          'folder_not_found',
          'ref_invalid',
          'changes_not_published',
          'key_not_unique',
          'parameter_missing',
          'parameter_invalid',
          'result_damaged',
          'managed_by_files',
          'version_conflict',
          'body_too_large',
        ]),
      },
    },
    async (request, reply) => {
      const { publishesChanges, keyColumns, ...content } = request.body
      const { shortId } = request.params
      const feed = { ...(publishesChanges !== undefined && { publishesChanges }), ...(keyColumns !== undefined && { keyColumns }) }
      const reference = await editReferenceAndFeed(services, callerOf(request), shortId, {
        edit: completeReference(content),
        feed,
        basedOn: readBasedOn(request),
        signal: abortOnDisconnect(reply),
      })
      return withEtag(reply, presentPublishing(reference))
    },
  )

  api.get(
    '/api/references/:shortId/changes',
    {
      config: { scope: 'read:queries' },
      schema: {
        operationId: 'references.changes',
        tags,
        summary: 'List the changes of a reference, oldest first',
        description:
          'Remember `nextAfter`, and send it as `after` the next time. Applying all changes after number n to the result at n gives the newest result.',
        params: Type.Object({ shortId }),
        querystring: ChangesQuery,
        response: responses(200, ChangeList, ['reference_not_found', 'changes_not_published', 'change_not_found', 'changes_expired']),
      },
    },
    async (request) => {
      const { items, ...rest } = await listChanges(services, callerOf(request), { ...request.params, ...request.query })
      return { items: items.map((change) => changeItem(change, { shortId: request.params.shortId, baseUrl })), ...rest }
    },
  )

  const changeErrors = ['reference_not_found', 'changes_not_published', 'change_not_found', 'changes_expired', 'change_rows_expired', 'result_damaged'] as const

  api.get(
    '/api/references/:shortId/changes/:number/rows',
    {
      config: { scope: 'read:queries' },
      schema: {
        operationId: 'references.changedRows',
        tags,
        summary: 'Read the rows of a change',
        description:
          'One JSON object per line: `{ op, key, before?, after?, cells? }`, with rows as in the JSON result. `add` and `change` have `after`; `remove` and `change` have `before`. Added and changed rows come in the order of the later result, then removed rows. If the key is not unique, or rows only moved, use the patch.',
        params: Type.Object({ shortId, number }),
        response: { ...responses(200, Type.String(), [...changeErrors]), 200: JsonLines },
      },
    },
    (request, reply) => sendChangedRows(services, callerOf(request), reply, keyOf(request.params)),
  )

  api.get(
    '/api/references/:shortId/changes/:number/patch',
    {
      config: { scope: 'read:queries' },
      schema: {
        operationId: 'references.changePatch',
        tags,
        summary: 'Read the exact difference of a change',
        description:
          'Makes the later result from the earlier one, byte for byte. Each line is `{ "copy": [offset, length] }`, bytes of the earlier JSON document, or `{ "text": … }`. Put them together in their order, encoded as UTF-8. The last line, `{ "end": { "bytes", "sha256" } }`, has the size and the hash of the later document.',
        params: Type.Object({ shortId, number }),
        response: { ...responses(200, Type.String(), [...changeErrors]), 200: JsonLines },
      },
    },
    (request, reply) => sendPatch(services, callerOf(request), reply, keyOf(request.params)),
  )
}

const presentPublishing = ({ latestNumber, problem, publishesChanges, keyColumns, keyChoice, ...reference }: VersionedReference & ChangeFeed) => ({
  ...presentReference(reference),
  version: reference.version,
  publishesChanges,
  keyColumns,
  keyChoice,
  latestChangeNumber: latestNumber,
  changesProblem: problem,
})
