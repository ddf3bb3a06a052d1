import { Type } from 'typebox'
import { modelProviders } from '../../model/model-settings.ts'
import { closed, described, namedEnum, NullableText, Timestamp } from '../schemas.ts'

/** The organization's model and data connectors. */
export const ModelProvider = namedEnum('ModelProvider', modelProviders)

export const ModelSettings = Type.Object(
  {
    provider: ModelProvider,
    baseUrl: Type.String(),
    model: Type.String(),
    hasApiKey: Type.Boolean(),
    updatedAt: Timestamp,
  },
  { title: 'ModelSettings', description: 'The model that the organization’s agents use. Its API key is never returned.' },
)

const givenModelSettings = {
  provider: ModelProvider,
  baseUrl: Type.Optional(Type.String()),
  model: Type.String(),
  apiKey: Type.Optional(described(NullableText, 'Omit it to keep the stored key. Null removes the key.')),
}

export const GivenModelSettings = Type.Object(givenModelSettings, { title: 'GivenModelSettings', ...closed })

/** Either complete settings, or nothing to test the stored settings. */
export const ModelSettingsToTry = Type.Partial(Type.Object(givenModelSettings), closed)

export const ModelTest = Type.Union(
  [
    Type.Object({ ok: Type.Literal(true), durationMs: Type.Number(), reply: Type.String() }),
    Type.Object({ ok: Type.Literal(false), message: Type.String() }),
  ],
  { title: 'ModelTest' },
)

export const DataConnector = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    url: described(NullableText, 'Null for members, because a URL may hold a token.'),
    headerNames: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    title: 'DataConnector',
    description:
      'A Model Context Protocol server whose tools the model agent may use. The values of its headers are never returned.',
  },
)

const headers = Type.Optional(Type.Record(Type.String(), Type.String()))
const enabled = Type.Optional(Type.Boolean())

export const GivenDataConnector = Type.Object(
  { name: Type.String(), url: Type.String(), headers, enabled },
  { title: 'GivenDataConnector', ...closed },
)

export const DataConnectorChange = Type.Object(
  { name: Type.Optional(Type.String()), url: Type.Optional(Type.String()), headers, enabled },
  { title: 'DataConnectorChange', ...closed },
)

export const ConnectorTest = Type.Union(
  [
    Type.Object({
      ok: Type.Literal(true),
      durationMs: Type.Number(),
      server: Type.Object({ name: Type.String(), version: Type.String() }),
      tools: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
      problems: Type.Array(Type.String(), { description: 'Problems that an agent sees, in addition to its tools.' }),
    }),
    Type.Object({ ok: Type.Literal(false), message: Type.String() }),
  ],
  { title: 'ConnectorTest' },
)
