import { Type } from 'typebox'
import { dbtTableKinds } from '../../model/dbt.ts'
import { knowledgeKinds, knowledgeLimits, suggestionStates } from '../../model/knowledge.ts'
import { closed, described, namedEnum, nullable, NullableInteger, NullableNumber, NullableText, oneOf, orNull, Timestamp } from '../schemas.ts'

/** What agents know: instructions, metrics, descriptions of tables, verified queries, suggestions and the history of all. */
const Person = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'PersonName' })

const Version = Type.Integer({ minimum: 0, description: 'The version that was read, 0 if there was none. A change of any other version is rejected.' })

export const Instructions = Type.Object(
  {
    database: orNull(Type.Object({ id: Type.String(), name: Type.String() }, { description: 'Null for the organization.' })),
    text: described(Type.String(), 'Markdown; empty if there are none.'),
    version: Type.Integer(),
    changed: orNull(Type.Object({ by: Person, at: Timestamp })),
    maxCharacters: Type.Integer(),
  },
  { title: 'Instructions', description: 'What admins tell agents, about the organization or about one database.' },
)

export const GivenInstructions = Type.Object(
  { databaseId: NullableText, text: Type.String(), version: Version },
  { title: 'GivenInstructions', ...closed },
)

const sqlDefinition = { kind: Type.Literal('sql'), databaseId: Type.String(), sql: Type.String() }
const referenceDefinition = { kind: Type.Literal('reference'), shortId: Type.String() }

const metricFields = {
  name: Type.String(),
  description: Type.String(),
  unit: described(NullableText, 'Such as `€` or `%`; null for a plain number.'),
  synonyms: Type.Array(Type.String(), { description: 'Other names by which people ask for it.' }),
  definition: Type.Union([Type.Object(sqlDefinition), Type.Object(referenceDefinition)], { title: 'MetricDefinition' }),
  ownerId: described(NullableText, 'The member to ask about it.'),
}

export const Metric = Type.Object(
  { id: Type.String(), ...metricFields, version: Type.Integer(), changedBy: Person, changedAt: Timestamp },
  { title: 'Metric', description: 'A figure that people agreed on how to compute.' },
)

const givenMetric = {
  name: Type.String({ examples: ['Net revenue'] }),
  description: Type.String({ default: '' }),
  unit: Type.Unsafe<string | null>({ ...NullableText, default: null }),
  synonyms: Type.Array(Type.String(), { default: [] }),
  definition: Type.Union([Type.Object(sqlDefinition, closed), Type.Object(referenceDefinition, closed)], {
    examples: [{ kind: 'sql', databaseId: 'db_4k2n', sql: 'select 1' }],
  }),
  ownerId: Type.Unsafe<string | null>({ ...NullableText, default: null }),
}

export const GivenMetric = Type.Object(givenMetric, { title: 'GivenMetric', ...closed })
export const MetricChange = Type.Object({ ...givenMetric, version: Version }, { title: 'MetricChange', ...closed })

export const Verification = Type.Object(
  {
    verifiedBy: Person,
    verifiedAt: Timestamp,
    isOutdated: Type.Boolean({ description: 'The SQL has changed since. The query then counts as not verified.' }),
  },
  { title: 'Verification', description: 'An admin has verified the query.' },
)

export const VerifiedQuery = Type.Object(
  {
    shortId: Type.String(),
    title: Type.String(),
    description: NullableText,
    databaseId: Type.String(),
    verification: Verification,
  },
  { title: 'VerifiedQuery' },
)

const DbtTable = Type.Object(
  {
    kind: oneOf(dbtTableKinds),
    description: NullableText,
    builtFrom: Type.Array(Type.String(), { description: 'The tables that it is built from.' }),
    file: NullableText,
    docsUrl: NullableText,
    sourceUrl: NullableText,
    freshness: orNull(Type.Object({ status: Type.String(), maxLoadedAt: NullableText }, { title: 'DbtFreshness' })),
  },
  { title: 'DbtTable', description: 'What a dbt project says about a table.' },
)

export const CatalogTable = Type.Object(
  {
    databaseId: Type.String(),
    databaseName: Type.String(),
    schema: Type.String(),
    name: Type.String(),
    kind: oneOf(['table', 'view']),
    rowEstimate: NullableNumber,
    comment: described(NullableText, 'The database’s own comment.'),
    description: described(NullableText, 'The organization’s own description, which takes precedence.'),
    dbt: orNull(DbtTable),
    columns: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          type: Type.String(),
          comment: NullableText,
          description: NullableText,
          dbtDescription: described(NullableText, 'Used where there is no other description than the comment.'),
        },
        { title: 'CatalogColumn' },
      ),
    ),
    columnCount: Type.Integer({ description: 'Of very wide tables, only the first columns are listed.' }),
    version: Type.Integer({ description: 'Of the organization’s own descriptions; 0 if there have never been any.' }),
  },
  { title: 'CatalogTable', description: 'A table with what is known about it.' },
)

export const FoundTables = Type.Object(
  { items: Type.Array(CatalogTable), isComplete: Type.Boolean({ description: 'Whether these are all that match.' }) },
  { title: 'FoundTables' },
)

export const GivenTableDescription = Type.Object(
  {
    databaseId: Type.String(),
    schema: Type.String(),
    table: Type.String(),
    description: NullableText,
    columns: Type.Record(Type.String(), Type.String(), { description: 'By name. Columns left out have no description of their own.' }),
    version: Version,
  },
  { title: 'GivenTableDescription', ...closed },
)

// A default has no effect in a union, so every field is required.
const proposedMetric = { ...metricFields, definition: givenMetric.definition }
const { version: _instructions, ...proposedInstructions } = GivenInstructions.properties
const { version: _table, ...proposedTable } = GivenTableDescription.properties

export const GivenProposal = Type.Union(
  [
    Type.Object({ kind: Type.Literal('instructions'), ...proposedInstructions }, closed),
    Type.Object({ kind: Type.Literal('metric'), id: described(NullableText, 'The metric to change; null to add one.'), ...proposedMetric }, closed),
    Type.Object({ kind: Type.Literal('table'), ...proposedTable }, closed),
  ],
  { title: 'GivenProposal', description: 'A change of the knowledge to try before it is saved.' },
)

const Target = Type.Union(
  [
    Type.Object({ kind: Type.Literal('instructions'), databaseId: NullableText }, closed),
    Type.Object(
      {
        kind: Type.Literal('table'),
        databaseId: Type.String(),
        schema: Type.String(),
        table: Type.String(),
        column: described(NullableText, 'Null for the table itself.'),
      },
      closed,
    ),
  ],
  { title: 'SuggestionTarget', description: 'What a suggestion is added to.' },
)

const AboutAnswer = Type.Object(
  { shortId: Type.String(), messageNumber: Type.Integer({ minimum: 1 }) },
  { title: 'AboutAnswer', description: 'The answer that a suggestion is about.', ...closed },
)

export const SuggestionState = namedEnum('SuggestionState', suggestionStates)

export const Suggestion = Type.Object(
  {
    id: Type.String(),
    text: Type.String(),
    target: Target,
    chat: orNull(AboutAnswer),
    state: SuggestionState,
    suggestedBy: Person,
    suggestedAt: Timestamp,
    decidedBy: orNull(Person),
    decidedAt: nullable(Timestamp),
  },
  { title: 'Suggestion', description: 'What a member suggests that agents should know.' },
)

const suggestionText = Type.String({ minLength: 1, description: `At most ${knowledgeLimits.suggestionCharacters} characters.` })

export const GivenSuggestion = Type.Object(
  { text: suggestionText, target: Target, chat: Type.Optional(AboutAnswer) },
  { title: 'GivenSuggestion', ...closed },
)

export const AcceptedSuggestion = Type.Object({ text: suggestionText, target: Target }, { title: 'AcceptedSuggestion', ...closed })

export const KnowledgeVersion = Type.Object(
  {
    id: Type.String(),
    itemId: Type.String(),
    number: Type.Integer(),
    kind: namedEnum('KnowledgeKind', knowledgeKinds),
    name: Type.String({ description: 'What the version is about, such as “Metric Net revenue”.' }),
    before: described(NullableText, 'Its text before; null if there was none.'),
    after: described(NullableText, 'Its text since; null if it was deleted.'),
    changedBy: Person,
    changedAt: Timestamp,
    restoredNumber: described(NullableInteger, 'The version that was restored with this one.'),
    isCurrent: Type.Boolean(),
  },
  { title: 'KnowledgeVersion', description: 'One change of what agents know.' },
)
