import { Type } from 'typebox'
import { deleteUnlessUsed } from '../../../domain/lineage/delete-unless-used.ts'
import { storeQuery } from '../../../domain/queries/queries.ts'
import { editReference, saveReference } from '../../../domain/references/references.ts'
import type { Reference } from '../../../model/reference.ts'
import { completeReference } from '../../given-reference.ts'
import { ReferenceChange, SavedQuery } from '../../schemas/query-schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { shown } from '../mcp-texts.ts'
import { closed, ConfigId, inputOf, ShortId, text } from '../shapes.ts'
import { creates, defineTool, replaces } from '../tool.ts'

const SavedAnswer = Type.Object({ shortId: text, title: text, queryId: text, url: text })

const present = ({ shortId, title, currentQuery }: Reference, place: { baseUrl: string }) => ({
  shortId,
  title: shown(title, bounds.listedText),
  queryId: currentQuery.id,
  url: linksAt(place).reference(shortId),
})

export const createReference = defineTool({
  name: 'create_reference',
  scope: 'write:queries',
  title: 'Save a query',
  description: 'Saves SQL under a title, with a permalink. Everyone in the organization can see it. Run it with run_reference.',
  hints: creates,
  input: inputOf({ analyticalDatabaseConfigId: ConfigId }, SavedQuery),
  output: SavedAnswer,
  call: async ({ services, caller }, input) => present(await saveReference(services, caller, completeReference(input)), services),
})

export const updateReference = defineTool({
  name: 'update_reference',
  scope: 'write:queries',
  title: 'Change a saved query',
  description: 'Changes the given fields of a reference. Changed SQL becomes a new query, and the reference moves to it. People can restore earlier versions.',
  hints: replaces,
  input: inputOf({ shortId: ShortId }, ReferenceChange),
  output: SavedAnswer,
  call: async ({ services, caller }, { shortId, ...edit }) =>
    present(await editReference(services, caller, shortId, completeReference(edit)), services),
})

export const deleteReference = defineTool({
  name: 'delete_reference',
  scope: 'write:queries',
  title: 'Delete a saved query',
  description: 'Deletes a reference unless boards, automations or other references use it. People can restore it for 30 days.',
  hints: replaces,
  input: Type.Object({ shortId: ShortId }, closed),
  output: Type.Object({ shortId: text, title: text }),
  async call({ services, caller }, { shortId }) {
    const { title } = await deleteUnlessUsed(services, caller, { shortId, evenIfUsed: false })
    return { shortId, title: shown(title, bounds.listedText) }
  },
})

export const createQuery = defineTool({
  name: 'create_query',
  scope: 'write:queries',
  title: 'Store SQL',
  description: 'Stores SQL without a title or permalink. create_reference is usually better: only references can be run here.',
  hints: creates,
  input: Type.Object({ analyticalDatabaseConfigId: ConfigId, sql: SavedQuery.properties.sql }, closed),
  output: Type.Object({ id: text, url: text }),
  async call({ services, caller }, input) {
    const { id } = await storeQuery(services, caller, input)
    return { id, url: linksAt(services).query(id) }
  },
})
